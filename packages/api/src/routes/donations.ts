import { ListQuery, notFound, type Donation } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { readPage } from '../db/page.ts';
import { isId } from '../id.ts';
import { NoQuery } from './no-query.ts';

/** `GET /donations` and `GET /donations/{id}` (spec: Read endpoints). */
export const donations = ({ db, cursors }: Deps) =>
  new Hono<Env>()
    .use(requireScope('donations:read'))
    .get('/', queryParams(ListQuery), async (c) => {
      const organizationId = c.var.credential.organization.id;
      const page = { table: 'donation', organizationId, query: c.req.valid('query') } as const;
      return c.json(await readPage(cursors, page, selectDonations(db), toDonation));
    })
    .get('/:id', queryParams(NoQuery), async (c) => {
      const donation = await findDonation(db, c.var.credential.organization.id, c.req.param('id'));
      return c.json(donation);
    });

/** @throws {ConnectError} `not_found` */
async function findDonation(db: Db, organizationId: string, id: string): Promise<Donation> {
  const row =
    isId(id) &&
    (await selectDonations(db)
      .where('donation.organization_id', '=', organizationId)
      .where('donation.id', '=', id)
      .executeTakeFirst());
  if (!row) throw notFound('donation', id);
  return toDonation(row);
}

const selectDonations = (db: Db) =>
  db
    .selectFrom('donation')
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name');

type DonationRow = Awaited<ReturnType<ReturnType<typeof selectDonations>['execute']>>[number];

const toDonation = (row: DonationRow): Donation => ({
  id: row.id,
  object: 'donation',
  amount_cents: row.amount_cents,
  net_amount_cents: row.net_amount_cents,
  currency: row.currency,
  recurring: row.recurring,
  refund_status: row.refund_status as Donation['refund_status'],
  refunded_amount_cents: row.refunded_amount_cents,
  dispute_status: row.dispute_status as Donation['dispute_status'],
  donor_name: row.donor_name,
  donor_email: row.donor_email,
  fund_id: row.fund_id,
  fund_name: row.fund_name,
  campaign_id: row.campaign_id,
  contact_id: row.contact_id,
  source: row.source,
  source_id: row.source_id,
  created_at: row.created_at.toISOString(),
});
