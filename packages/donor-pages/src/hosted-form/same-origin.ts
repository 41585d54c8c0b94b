import { ConnectError } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';

/**
 * Middleware that accepts requests only from the hosted page itself. Browsers send `Origin` with
 * every POST, and scripts cannot change it. A request without `Origin` does not come from a page
 * and is rejected too.
 *
 * @throws {ConnectError} `forbidden` naming `Origin`
 */
export const requireSameOrigin = ({ baseUrl }: Pick<Deps, 'baseUrl'>) => {
  const ownOrigin = new URL(baseUrl).origin;
  return createMiddleware<Env>(async (c, next) => {
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (c.req.header('origin') !== ownOrigin || site !== 'same-origin') {
      throw new ConnectError(
        'forbidden',
        `Origin must be ${ownOrigin}. Other sites may not send this request.`,
        { code: 'origin_not_allowed', param: 'Origin' },
      );
    }
    await next();
  });
};
