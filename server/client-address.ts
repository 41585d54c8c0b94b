import type { HttpBindings } from '@hono/node-server';

/**
 * The visitor's address: the socket's, or what the proxies in front of us say of it.
 *
 * Anybody can send `X-Forwarded-For`; only the entries that our own proxies added are true, and
 * those are the last ones.
 *
 * @param proxies how many of our own proxies a request passes
 */
export const clientAddress = (proxies: number) => (request: Request, env: unknown) => {
  const socket = (env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress;
  if (proxies === 0) return socket;
  const forwarded = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  return withoutPort(forwarded.at(-proxies)?.trim() ?? '') || socket;
};

/** Some proxies write `203.0.113.9:41000`, and every connection would be another visitor. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
