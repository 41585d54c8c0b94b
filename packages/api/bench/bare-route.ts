/**
 * The least that could answer a page of donations: one Hono route, one query through the plain
 * driver, the rows as JSON. No credential, no limit, no cursor, no checks: what we are measured by.
 */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
const app = new Hono().get('/donations', async (c) => {
  const { rows } = await pool.query(
    `select donation.*, fund.name as fund_name
     from donation left join fund on fund.id = donation.fund_id
     where donation.organization_id = $1
     order by donation.created_at desc, donation.id desc limit $2`,
    ['org_harbor', 26],
  );
  return c.json({ data: rows.slice(0, 25), has_more: rows.length > 25 });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) => {
  process.stdout.write(`bare listening on http://localhost:${info.port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  void pool.end();
});
