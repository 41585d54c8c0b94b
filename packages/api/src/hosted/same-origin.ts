import { ConnectError } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../env.ts';

/**
 * Lets in what the hosted page itself asks, and no other page: browsers say with every POST where
 * it came from, and scripts cannot change that. What says nothing is no page at all.
 *
 * @throws {ConnectError} `forbidden` naming `Origin`
 */
export const requireSameOrigin = ({ baseUrl }: Pick<Deps, 'baseUrl'>) => {
  const ownOrigin = new URL(baseUrl).origin;
  return createMiddleware<Env>(async (c, next) => {
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (c.req.header('origin') !== ownOrigin || site !== 'same-origin') {
      throw new ConnectError('forbidden', `Origin: only the page at ${ownOrigin} may ask here.`);
    }
    await next();
  });
};
