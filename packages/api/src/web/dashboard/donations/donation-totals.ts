import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { DonationFilters } from './donation-query.ts';
import { selectParts, SUM_COLUMNS } from '../../../resources/donations/sums.ts';
import { LOCALE } from '../../layout.ts';
import { figures } from '../table.ts';
import type { Html } from '../../../lib/html.ts';

/**
 * Loads the totals of all donations that match the filters, one row per currency. Fee and net are
 * null while the fee of any donation is unknown.
 */
export const readTotals = (db: Db, organizationId: string, query: DonationFilters) =>
  selectParts(db, organizationId, query)
    .clearOrderBy()
    .orderBy(sql`count`, 'desc')
    .select(SUM_COLUMNS)
    .select(
      sql<number | null>`case when sum(part.donations) = sum(part.known_fees)
        then sum(part.fee_cents)::float8 end`.as('total_fee_cents'),
    )
    .execute();

type Totals = Awaited<ReturnType<typeof readTotals>>[number];

/**
 * Renders the count, gross, refunded, fee and net totals of all matching donations, not only of
 * those on the current page.
 */
export const totalsView = (totals: readonly Totals[]): Html =>
  html`<section aria-label="Totals">${totals.map(currencyTotals)}</section>`;

const currencyTotals = (total: Totals) => {
  const money = (cents: number | null) =>
    cents === null ? 'Not available yet' : formatMoney(cents, total.currency, LOCALE);
  return figures(
    [
      ['Donations', total.count.toLocaleString(LOCALE)],
      ['Gross', money(total.gross_cents)],
      ['Refunded', money(total.refunded_cents)],
      ['Fee', money(total.total_fee_cents)],
      ['Net', money(total.net_cents)],
    ],
    'five-columns',
  );
};
