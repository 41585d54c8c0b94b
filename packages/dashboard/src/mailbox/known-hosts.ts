import { ConnectError } from '@connect-embed/contract';
import { isLocalHost } from '@connect-embed/contract/local-host';
import type { MiddlewareHandler } from 'hono';

/**
 * Middleware that accepts only requests whose host is local or the service's own, so that no
 * website can read a page without sign-in through DNS rebinding (explained in `local-host.ts` of
 * the contract package).
 *
 * @throws {ConnectError} `forbidden`
 */
export function requireKnownHost(baseUrl: string): MiddlewareHandler {
  const ownHost = new URL(baseUrl).hostname;
  return async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (!isLocalHost(hostname, [ownHost])) {
      const message = `This page is not available at ${hostname}. If this is your domain, set API_BASE_URL to its URL.`;
      throw new ConnectError('forbidden', message);
    }
    await next();
  };
}
