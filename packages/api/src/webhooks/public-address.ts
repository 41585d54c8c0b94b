import ipaddr from 'ipaddr.js';

/** All that is routed on the public internet; every transition and special block lies outside. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Inside the public ranges, and yet not the public: docs/decisions/0008-webhooks.md */
const SPECIAL_BLOCKS = [
  // Azure's host answers there to the virtual machines that it carries, and to nobody else.
  ipaddr.parseCIDR('168.63.129.16/32'),
  // Documentation (RFC 9637), younger than the list in ipaddr.js.
  ipaddr.parseCIDR('3fff::/20'),
];

/**
 * Whether an address is one that anybody on the internet could reach.
 *
 * IPv6 is public only inside 2000::/3. IPv4 addresses in the clothes of IPv6 (mapped, compatible,
 * NAT64, 6to4, Teredo) are refused as such: nobody needs them to name a public host.
 *
 * @param text as the resolver or the socket gives it; anything that is not an address is not public
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  if (text.includes('%')) return false; // A zone: only links have those.
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST)) return false;
  return !SPECIAL_BLOCKS.some(([block, bits]) => {
    return block.kind() === address.kind() && address.match(block, bits);
  });
}
