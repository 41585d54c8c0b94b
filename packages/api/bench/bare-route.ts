/**
 * Baseline server of the list benchmark (`lists.ts`): a Hono route that runs one query with the
 * plain driver and returns a page of donations as JSON, without credential check, rate limit,
 * cursor or validation.
 *
 * `/donations/prepared` does even less: it runs the same prepared statement as the real route and
 * returns JSON that PostgreSQL built. A route that checks a credential cannot be as fast, so this
 * route is a lower bound for the response time.
 */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import { BARE_PAGE, PREPARED_PAGE } from './bare-page.ts';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
const app = new Hono()
  .get('/donations', async (c) => {
    const { rows } = await pool.query(BARE_PAGE);
    return c.json({ data: rows.slice(0, 25), has_more: rows.length > 25 });
  })
  .get('/donations/prepared', async (c) => {
    const { rows } = await pool.query<{ json: string }>(PREPARED_PAGE);
    const data = rows.slice(0, 25).map(({ json }) => json);
    const body = `{"data":[${data.join()}],"has_more":${rows.length > 25}}`;
    return c.body(body, 200, { 'Content-Type': 'application/json' });
  });
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) => {
  process.stdout.write(`bare listening on http://localhost:${info.port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  void pool.end();
});
