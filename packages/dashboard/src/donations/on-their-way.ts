import { DEBIT_BUSINESS_DAYS, formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { debitFailure, type DebitFailure } from '@connect-embed/api/lib/debit-failure';
import type { Html } from '@connect-embed/api/lib/html';
import { paymentMethodLabel } from '@connect-embed/api/resources/donations/payment-method';
import { applyFilters, type FilterRules } from '@connect-embed/api/resources/search/apply-filters';
import type { FilterValues } from '@connect-embed/api/resources/lists/list-definition';
import type { SearchFilters } from '@connect-embed/api/resources/search/search';
import { dateElement } from '../pages/dashboard-layout.ts';
import { amountColumns, REFERENCE_COLUMNS } from './donation-table.ts';
import { badgeWithMode, table, type Column } from '../pages/table.ts';
import { FREQUENCY_LABELS } from '../forms/frequency-labels.ts';

/** How long a returned payment is listed. */
export const RETURNED_DAYS = 30;

/** The SQL condition of a search, which finds what it would find in the donation that the payment becomes. */
const SEARCH_FILTERS: FilterRules<SearchFilters> = {
  search: (value) => sql`donation_terms(payment_intent.organization_id, payment_intent.donor_name,
    payment_intent.donor_email, payment_intent.reference, payment_intent.amount_cents) @@ fold_text(${value})::tsquery`,
  search_amounts: (value) =>
    sql`payment_intent.currency || payment_intent.amount_cents = any(${value})`,
  search_id: (value) => sql`payment_intent.id = ${value}`,
};

const selectPayments = (db: Db, organizationId: string, search: FilterValues<SearchFilters>) =>
  applyFilters(
    forOrganization(db, organizationId).selectFrom('payment_intent'),
    SEARCH_FILTERS,
    search,
  )
    .where(isCounted('payment_intent', organizationId))
    .leftJoin('recurring_plan', (join) =>
      join
        .onRef('recurring_plan.id', '=', 'payment_intent.plan_id')
        .onRef('recurring_plan.organization_id', '=', 'payment_intent.organization_id'),
    )
    .leftJoin('fund', (join) =>
      join
        .onRef('fund.id', '=', 'payment_intent.fund_id')
        .onRef('fund.organization_id', '=', 'payment_intent.organization_id'),
    )
    .selectAll('payment_intent')
    .select(['recurring_plan.frequency', 'fund.name as fund_name']);

/** Selects the payments of an organization that are confirmed, and whose money has not arrived yet. */
export const selectOnTheirWay = (
  db: Db,
  organizationId: string,
  search: FilterValues<SearchFilters> = {},
) => selectPayments(db, organizationId, search).where('payment_intent.status', '=', 'processing');

/** Selects the bank debits of an organization that the bank returned instead of paying them, newest first. */
export const selectReturned = (
  db: Db,
  organizationId: string,
  search: FilterValues<SearchFilters> = {},
) =>
  selectPayments(db, organizationId, search)
    .where('payment_intent.status', '=', 'failed')
    .where('payment_intent.payment_method', 'in', Object.keys(DEBIT_BUSINESS_DAYS))
    // The condition of the index `payment_intent_of_donor`: other failed payments have no donor.
    .where(
      sql<boolean>`(payment_intent.donor_email is not null or payment_intent.donor_name is not null)`,
    )
    .where(
      'payment_intent.status_at',
      '>',
      sql<Date>`now() - ${sql.lit(`${RETURNED_DAYS} days`)}::interval`,
    )
    .orderBy('payment_intent.status_at', 'desc')
    .orderBy('payment_intent.id');

type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectOnTheirWay>['execute']>>[number];

/** Number and sum of the payments on their way in one currency. */
interface OnTheirWay {
  currency: string;
  count: number;
  amount_cents: number;
}

/** Adds up the payments on their way, one row for each currency. They are in no total of donations. */
export const sumOnTheirWay = (db: Db, organizationId: string): Promise<OnTheirWay[]> =>
  forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .where('status', '=', 'processing')
    .where(isCounted('payment_intent', organizationId))
    .groupBy('currency')
    .orderBy('currency')
    .select([
      'currency',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`sum(amount_cents)::float8`.as('amount_cents'),
    ])
    .execute();

/** Names number and sum, for example `3 donations on their way` and `$120.00, €30.00`. */
export function onTheirWayTexts(sums: readonly OnTheirWay[]): { count: string; amounts: string } {
  const count = sums.reduce((total, sum) => total + sum.count, 0);
  const amounts = sums.map(({ amount_cents, currency }) =>
    formatMoney(amount_cents, currency, LOCALE),
  );
  return {
    count: `${count.toLocaleString(LOCALE)} ${count === 1 ? 'donation on its way' : 'donations on their way'}`,
    amounts: amounts.join(', '),
  };
}

/** Renders a quiet line with number and sum, which links to the page with all; empty if there are none. */
export function onTheirWayLine(sums: readonly OnTheirWay[], organizationPath: string): Html | '' {
  if (sums.length === 0) return '';
  const { count, amounts } = onTheirWayTexts(sums);
  return html`<p class="small muted">
    <a href="${organizationPath}/donations/on-their-way">${count}</a>, ${amounts}. Not counted until
    the money arrives.
  </p>`;
}

const paymentColumns = (
  organizationPath: string,
  timeZone: string,
  outcome: readonly Column<PaymentRow>[],
): Column<PaymentRow>[] => [
  {
    head: 'Donor',
    as: 'rowHeader',
    cell: (payment) => badgeWithMode(html`${payment.donor_name ?? 'Anonymous'}`, payment),
  },
  ...amountColumns(timeZone),
  ...outcome,
  {
    head: 'Payment method',
    as: 'clipped',
    cell: ({ payment_method }) => paymentMethodLabel({ payment_method, card_brand: null }),
  },
  {
    head: 'Type',
    as: 'clipped',
    cell: ({ plan_id, frequency }) =>
      plan_id && frequency
        ? html`<a href="${organizationPath}/plans/${plan_id}">${FREQUENCY_LABELS[frequency]}</a>`
        : 'One-time',
  },
];

const CONTACT_COLUMNS: Column<PaymentRow>[] = [
  { head: 'Email', as: 'clipped', cell: ({ donor_email }) => donor_email },
  ...REFERENCE_COLUMNS,
];

/** Returns the first columns of a table of payments on their way, which fit beside the navigation. */
export const firstOnTheirWayColumns = (
  organizationPath: string,
  timeZone: string,
): Column<PaymentRow>[] =>
  paymentColumns(organizationPath, timeZone, [
    { head: 'Expected by', cell: ({ expected_at: at }) => at && dateElement(at, timeZone) },
  ]);

/** Returns the columns of a table of payments on their way. */
export const onTheirWayColumns = (
  organizationPath: string,
  timeZone: string,
): Column<PaymentRow>[] => [
  ...firstOnTheirWayColumns(organizationPath, timeZone),
  ...CONTACT_COLUMNS,
];

/** Returns the columns of a table of payments that the bank returned. */
export const returnedColumns = (
  organizationPath: string,
  timeZone: string,
): Column<PaymentRow>[] => [
  ...paymentColumns(organizationPath, timeZone, [
    { head: 'Returned', cell: ({ status_at: at }) => at && dateElement(at, timeZone) },
    { head: 'Reason', as: 'clipped', cell: ({ failure_code }) => failureText(failure_code) },
  ]),
  ...CONTACT_COLUMNS,
];

const FAILURE_TEXTS: Record<DebitFailure, string> = {
  insufficient_funds: 'Not enough money in the account',
  account_closed: 'Account closed',
  account_not_found: 'Bank could not find the account',
  not_authorized: 'Debit not authorized',
  account_restricted: 'Account does not allow debits',
};

/** The reason why a bank returned a debit, in plain words. */
export function failureText(code: string | null): string {
  const failure = debitFailure(code);
  return failure ? FAILURE_TEXTS[failure] : 'Not given by the bank';
}

/** Renders the payments on their way and the returned ones of one donor or plan, each if there are any. */
export function paymentsUnderWay(
  onTheirWay: readonly PaymentRow[],
  returned: readonly PaymentRow[],
  { path, timeZone }: { path: string; timeZone: string },
): Html {
  return html`${
    onTheirWay.length > 0
      ? html`<h2>On their way</h2>
          ${table('On their way', onTheirWayColumns(path, timeZone), onTheirWay)}`
      : ''
  }
  ${
    returned.length > 0
      ? html`<h2>Returned by the bank</h2>
          ${table('Returned by the bank', returnedColumns(path, timeZone), returned)}`
      : ''
  }`;
}
