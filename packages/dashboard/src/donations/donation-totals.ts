import { html } from 'hono/html';
import { sql } from 'kysely';
import type { Db } from '@connect-embed/api/db/schema';
import type { DonationFilters } from './donation-query.ts';
import { selectParts, SUM_COLUMNS } from '@connect-embed/api/resources/donations/sums';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { figures } from '../pages/table.ts';
import { amountFigures } from './amount-figures.ts';
import type { Html } from '@connect-embed/api/lib/html';

/**
 * Loads the totals of all donations that match the filters, one row per currency. Fee and net are
 * null while the fee of any donation is unknown.
 */
export const readTotals = (db: Db, organizationId: string, query: DonationFilters) =>
  selectParts(db, organizationId, query)
    .clearOrderBy()
    .orderBy(sql`count`, 'desc')
    .select(SUM_COLUMNS)
    .execute();

type Totals = Awaited<ReturnType<typeof readTotals>>[number];

/** Renders the totals of all matching donations, not only of those on the current page. */
export const totalsView = (totals: readonly Totals[]): Html =>
  html`<section aria-label="Totals">${totals.map(currencyTotals)}</section>`;

/** Stripe has not reported the fee of a donation yet, or charged it in another currency. */
const UNKNOWN = 'Not all known';

const currencyTotals = ({ count, ...total }: Totals) =>
  figures(
    [['Donations', count.toLocaleString(LOCALE)], ...amountFigures(total, UNKNOWN)],
    'narrow',
  );
