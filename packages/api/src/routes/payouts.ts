import { ListQuery, notFound, type Payout } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../env.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { sql } from 'kysely';
import { iso, kind } from '../db/iso.ts';
import { openList } from '../db/list.ts';
import { isId } from '../id.ts';
import { answerText } from '../answer-headers.ts';
import { NoQuery } from './no-query.ts';

export const payoutList = (deps: Deps) =>
  openList(deps, { table: 'payout', select: selectPayouts, madeAt: 'created' });

/**
 * `GET /payouts` and `GET /payouts/{id}` (spec: Read endpoints), and additive to them
 * `GET /payouts/{id}/donations`: what a payout is made of.
 */
export const payouts = (deps: Deps) => {
  const list = payoutList(deps);
  const listDonations = openList<{ payout_id: string }>(deps, {
    table: 'payout_donation',
    select: selectPayoutDonations,
    madeAt: 'created_at',
    filters: { payout_id: (value) => sql`payout_donation.payout_id = ${value}` },
  });
  return new Hono<Env>()
    .use(requireScope('payouts:read'))
    .get('/', queryParams(ListQuery), async (c) =>
      answerText(
        c,
        await list(c.get('credential').organization.id, c.req.valid('query'), c.get('page')),
      ),
    )
    .get('/:id', queryParams(NoQuery), async (c) =>
      c.json(await findPayout(deps.db, c.get('credential').organization.id, c.req.param('id'))),
    )
    .get('/:id/donations', queryParams(ListQuery), async (c) => {
      const { id: organizationId } = c.get('credential').organization;
      const { id: payout_id } = await findPayout(deps.db, organizationId, c.req.param('id'));
      return answerText(
        c,
        await listDonations(organizationId, { ...c.req.valid('query'), payout_id }),
      );
    });
};

/** @throws {ConnectError} `not_found` */
async function findPayout(db: Db, organizationId: string, id: string): Promise<Payout> {
  const row =
    isId(id) &&
    (await selectPayouts(db)
      .where('payout.organization_id', '=', organizationId)
      .where('payout.id', '=', id)
      .executeTakeFirst());
  if (!row) throw notFound('payout', id);
  return row;
}

export const selectPayouts = (db: Db) =>
  db
    .selectFrom('payout')
    .select([
      'payout.id',
      kind('payout'),
      'payout.amount_cents',
      'payout.currency',
      'payout.status',
      iso('payout.arrival_date').as('arrival_date'),
      iso('payout.created_at').as('created'),
      'payout.description',
      'payout.statement_descriptor',
    ])
    .$narrowType<Pick<Payout, 'status'>>();

const selectPayoutDonations = (db: Db) =>
  db.selectFrom('payout_donation').select([
    'payout_donation.id',
    kind('payout_donation'),
    'payout_donation.payout_id',
    // A payout may be told of before its gifts are, so it is looked up when it is read.
    sql<string | null>`(
      select donation.id from donation
      where donation.organization_id = payout_donation.organization_id
        and donation.processor_payment_intent_id = payout_donation.processor_payment_intent_id
    )`.as('donation_id'),
    'payout_donation.type',
    'payout_donation.amount_cents',
    'payout_donation.fee_cents',
    sql<number>`payout_donation.amount_cents - payout_donation.fee_cents`.as('net_amount_cents'),
    'payout_donation.currency',
    iso('payout_donation.created_at').as('created_at'),
  ]);
