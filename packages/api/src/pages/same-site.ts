import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../env.ts';
import { message } from './layout.ts';

/**
 * Takes forms from our own pages only.
 *
 * Browsers say with every form where it stood (`Origin`, `Sec-Fetch-Site`) and scripts cannot
 * change that; together with `SameSite` cookies no foreign page can press our buttons. A caller
 * that sends neither is no browser and carries nobody's cookies.
 */
export const requireSameOriginForms = ({ baseUrl }: Pick<Deps, 'baseUrl'>) => {
  const ownOrigin = new URL(baseUrl).origin;
  return createMiddleware<Env>(async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const origin = c.req.header('origin');
      const site = c.req.header('sec-fetch-site');
      if ((origin && origin !== ownOrigin) || (site && site !== 'same-origin')) {
        const text = 'This form was not sent from a page of Connect. Nothing was changed.';
        return c.html(message('That did not come from here', text), 403);
      }
    }
    return await next();
  });
};

/** A path of ours to go on to; anything else would send people wherever a link says. */
export function safePath(path: string | undefined, fallback: string): string {
  if (!path?.startsWith('/')) return fallback;
  const base = 'http://here.invalid';
  const url = URL.parse(path, base);
  if (url?.origin !== base) return fallback;
  const safe = url.pathname + url.search;
  // `/.//example.org` is such a path, and becomes an address of others once its dot is gone.
  return safe.startsWith('//') ? fallback : safe;
}
