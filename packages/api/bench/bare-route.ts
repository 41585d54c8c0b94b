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

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
const FIELDS = `donation.id, 'donation' as object, amount_cents, net_amount_cents, currency, recurring,
  refund_status, refunded_amount_cents, dispute_status, donor_name, donor_email, fund_id,
  fund.name as fund_name, campaign_id, campaign.name as campaign_name, contact_id, source, source_id, reference, fee_cents,
  payment_method, card_brand, payout_id`;
const PAGE = `from donation left join fund on fund.id = donation.fund_id
  left join campaign on campaign.id = donation.campaign_id
  where donation.organization_id = $1
  order by donation.created_at desc, donation.id desc limit`;

const PREPARED = `select row_to_json(page)::text as json from (
    select ${FIELDS}, to_char(donation.created_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at ${PAGE} 101
  ) as page limit $2`;

const app = new Hono()
  .get('/donations', async (c) => {
    const text = `select ${FIELDS}, donation.created_at ${PAGE} $2`;
    const { rows } = await pool.query(text, ['org_harbor', 26]);
    return c.json({ data: rows.slice(0, 25), has_more: rows.length > 25 });
  })
  .get('/donations/prepared', async (c) => {
    const query = { name: 'page', text: PREPARED, values: ['org_harbor', 26] };
    const { rows } = await pool.query<{ json: string }>(query);
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
