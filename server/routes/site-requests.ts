import { CreateAllowedSiteRequest, type AllowedSiteRequest } from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps, Env } from '../deps.ts';
import { allowOriginsToRead } from '../guard/require-allowed-origin.ts';

const SiteQuery = z.strictObject({ origin: z.string().min(1).max(300) });

/**
 * `GET /site-requests?origin=` returns whether a website is allowed, and `POST` asks the owners of the
 * organization to allow it (docs/decisions/0102-wordpress-and-site-requests.md).
 *
 * Both are for the server of a website. The POST has no CORS headers, so that no page can send it with
 * the browsers of its visitors.
 */
export const siteRequestRoutes = (deps: Deps) => {
  const { allowedOrigins, setupLimits, upstream, address } = deps;
  return new Hono<Env>()
    .get('/', allowOriginsToRead(deps), queryParams(SiteQuery), async (c) => {
      await setupLimits.consume(address(c));
      const { origin } = c.req.valid('query');
      return c.json({ origin, allowed: await allowedOrigins.includes(origin) });
    })
    .post('/', jsonBody(CreateAllowedSiteRequest), async (c) => {
      await setupLimits.consume(address(c));
      const { origin } = c.req.valid('json');
      const allowed = { object: 'allowed_site_request', origin, status: 'allowed' } as const;
      if (await allowedOrigins.includes(origin))
        return c.json(allowed satisfies AllowedSiteRequest);
      await setupLimits.consumeSiteRequest(address(c));
      return c.json(await upstream.call((api) => api.createAllowedSiteRequest({ origin })));
    });
};
