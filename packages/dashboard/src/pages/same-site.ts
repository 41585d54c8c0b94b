import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from './deps.ts';
import { messagePage } from '@connect-embed/api/http/page-shell';

/**
 * Middleware that prevents cross-site request forgery (CSRF): it accepts form submissions only from
 * our own pages.
 *
 * Browsers send `Origin` or `Sec-Fetch-Site` with every form, and scripts cannot change these
 * headers. Together with `SameSite` cookies, this check prevents other sites from submitting our
 * forms. A request with neither header does not come from a browser, so no browser has attached a
 * user's cookies to it.
 */
export const requireSameOriginForms = ({ baseUrl }: Pick<Deps, 'baseUrl'>) => {
  const ownOrigin = new URL(baseUrl).origin;
  return createMiddleware<Env>(async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const origin = c.req.header('origin');
      const site = c.req.header('sec-fetch-site');
      if ((origin && origin !== ownOrigin) || (site && site !== 'same-origin')) {
        const text = 'This form was not submitted from a page of Connect. Nothing was changed.';
        return c.html(messagePage('Form rejected', text), 403);
      }
    }
    return await next();
  });
};

/**
 * Returns the path if it is on our own origin, and the fallback otherwise. This prevents open
 * redirects.
 */
export function safePath(path: string | undefined, fallback: string): string {
  if (!path?.startsWith('/')) return fallback;
  const base = 'http://here.invalid';
  const url = URL.parse(path, base);
  if (url?.origin !== base) return fallback;
  const safe = url.pathname + url.search;
  // URL parsing turns `/.//example.org` into `//example.org`, which browsers resolve to another
  // host.
  return safe.startsWith('//') ? fallback : safe;
}
