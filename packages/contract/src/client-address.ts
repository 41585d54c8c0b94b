/** The part of Hono's `c.env` on Node that contains the socket of the request. */
interface NodeEnv {
  incoming?: { socket?: { remoteAddress?: string | undefined } };
}

/**
 * Returns a function that finds a visitor's IP address: the socket's, or the one in
 * `X-Forwarded-For`.
 *
 * Clients can send any `X-Forwarded-For`. Only the last entries are reliable: our own proxies add
 * them.
 *
 * @param proxyCount number of our own proxies in front of the server
 */
export const clientAddress = (proxyCount: number) => (request: Request, env: unknown) => {
  const socket = (env as NodeEnv | undefined)?.incoming?.socket?.remoteAddress;
  if (proxyCount === 0) return socket;
  const forwarded = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  return withoutPort(forwarded.at(-proxyCount)?.trim() ?? '') || socket;
};

/** Some proxies add the port (`203.0.113.9:41000`), which differs for each connection. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * The network of one household or host: an IPv4 address, or the first 64 bits of an IPv6 address.
 */
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
