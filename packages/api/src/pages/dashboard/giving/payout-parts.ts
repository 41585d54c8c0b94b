import { formatMoney } from '@connect-embed/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { sql, type Selectable } from 'kysely';
import type { Deps } from '../../../env.ts';
import type { Db } from '../../../db/database.ts';
import { readPage } from '../../../db/page.ts';
import type { Database } from '../../../db/schema.ts';
import { LOCALE, type Html } from '../../layout.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { day } from '../frame.ts';
import { empty, pager, table, type Column } from '../table.ts';
import { askedPage } from './read-list.ts';

const WHAT = { gift: 'Donation', refund: 'Refund', dispute: 'Dispute' } as const;

/** The donations, refunds and disputes that make up a payout, newest first; whose, to who may see that. */
export async function payoutParts(
  { db, cursors }: Deps,
  c: Context<DashboardEnv>,
  { id, organization_id }: Selectable<Database['payout']>,
): Promise<Html> {
  const { path } = c.var.place;
  const maySee = c.var.organization.permissions.has('donations:read');
  const donations = maySee ? `/dashboard/${organization_id}/donations` : undefined;
  const { cursor, page } = askedPage(c, 'payout_donation');
  const filters = { payout_id: id };
  const { data, next_cursor: next } = await readPage(
    cursors,
    { ...page, filters },
    selectParts(db).where('payout_donation.payout_id', '=', id),
    (row) => row,
  );
  return html`<h2>What it is made of</h2>
    ${
      data.length
        ? table('Parts of the payout', columnsAt(donations), data)
        : empty('The processor has not told what this payout is made of.')
    }
    ${pager(path, { cursor, next })}`;
}

const selectParts = (db: Db) =>
  db
    .selectFrom('payout_donation')
    .leftJoin(
      'donation',
      'donation.processor_payment_intent_id',
      'payout_donation.processor_payment_intent_id',
    )
    .selectAll('payout_donation')
    .select([
      sql<string | null>`donation.id`.as('donation_id'),
      sql<string | null>`donation.donor_name`.as('donor_name'),
    ]);

type Part = Awaited<ReturnType<ReturnType<typeof selectParts>['execute']>>[number];

const columnsAt = (donations: string | undefined): Column<Part>[] => [
  {
    head: 'What',
    as: 'row',
    cell: ({ type, donation_id, donor_name }) =>
      donations && donation_id
        ? html`<a href="${donations}/${donation_id}"
            >${WHAT[type]} of ${donor_name ?? 'no name'}</a
          >`
        : WHAT[type],
  },
  { head: 'Date', cell: ({ created_at }) => day(created_at) },
  {
    head: 'Amount',
    as: 'number',
    cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, LOCALE),
  },
  {
    head: 'Fee',
    as: 'number',
    cell: ({ fee_cents, currency }) => formatMoney(fee_cents, currency, LOCALE),
  },
];
