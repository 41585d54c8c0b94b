import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Deps, Env } from '../deps.ts';
import { MAX_AGE_SECONDS } from '../cache/campaign-progress.ts';

/**
 * `GET /campaigns/{id}/progress` returns how much a campaign has raised, for a progress meter on
 * any allowed page. On a platform the id can be `{organization}/{campaign}`, with a plain slash: some
 * proxies reject `%2F` in a path.
 */
export const campaignRoutes = ({ campaigns }: Deps) =>
  new Hono<Env>().use(etag()).get('/:id{.+}/progress', async (c) => {
    const progress = await campaigns.get(c.req.param('id'));
    c.header('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    return c.json(progress);
  });
