import { ConnectError } from '@connect-embed/contract';
import type { MiddlewareHandler } from 'hono';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Answers only requests for this machine or for the service's own address. Without it, any website could
 * read a page that needs no sign-in, by letting its own name point to 127.0.0.1 (DNS rebinding).
 *
 * @throws {ConnectError} `forbidden`
 */
export function onlyKnownHosts(baseUrl: string): MiddlewareHandler {
  const known = new Set([...LOOPBACK, new URL(baseUrl).hostname]);
  return async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (!known.has(hostname)) {
      throw new ConnectError('forbidden', `This page is not served under the name ${hostname}.`);
    }
    await next();
  };
}
