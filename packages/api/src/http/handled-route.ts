import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

/**
 * Returns the pattern of the route that handled a request, for example `/api/v1/donations/:id`; `none` if no
 * route did. Several may match: `/donations/summary` also matches `/donations/:id`, and the first one handles it.
 */
export const handledRoute = (c: Context): string =>
  matchedRoutes(c).find(({ method }) => method !== 'ALL')?.path ?? 'none';
