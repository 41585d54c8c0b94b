import ipaddr from 'ipaddr.js';

/** IPv6 block of public addresses. All transition and special-purpose blocks are outside of it. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Blocks in the public ranges that are not public: docs/decisions/0008-webhooks.md */
const SPECIAL_BLOCKS = [
  // Azure's platform address, which only virtual machines on Azure can reach.
  ipaddr.parseCIDR('168.63.129.16/32'),
  // Documentation block of RFC 9637, which ipaddr.js does not know.
  ipaddr.parseCIDR('3fff::/20'),
];

/**
 * Whether an address is reachable from the public internet.
 *
 * IPv6 is public only in 2000::/3. IPv4 addresses embedded in IPv6 (mapped, compatible, NAT64, 6to4,
 * Teredo) are rejected: no public host needs them.
 *
 * @param text an address of a resolver or a socket; any other text is not public
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  if (text.includes('%')) return false; // A zone id: only link-local addresses have one.
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST)) return false;
  return !SPECIAL_BLOCKS.some(([block, bits]) => {
    return block.kind() === address.kind() && address.match(block, bits);
  });
}
