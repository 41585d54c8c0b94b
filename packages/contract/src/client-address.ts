/** What a Node server hands to its routes beside the request. */
interface NodeEnv {
  incoming?: { socket?: { remoteAddress?: string | undefined } };
}

/**
 * The visitor's address: the socket's, or what the proxies in front of us say of it.
 *
 * Anybody can send `X-Forwarded-For`; only the entries that our own proxies added are true, and
 * those are the last ones.
 *
 * @param proxyCount how many of our own proxies a request passes
 */
export const clientAddress = (proxyCount: number) => (request: Request, env: unknown) => {
  const socket = (env as NodeEnv | undefined)?.incoming?.socket?.remoteAddress;
  if (proxyCount === 0) return socket;
  const forwarded = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  return withoutPort(forwarded.at(-proxyCount)?.trim() ?? '') || socket;
};

/** Some proxies write `203.0.113.9:41000`, and every connection would be another visitor. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** What one household or host has: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return (
    groups
      .slice(0, 4)
      .map((group) => group.replace(/^0+(?=.)/, ''))
      .join(':') + '::/64'
  );
}
