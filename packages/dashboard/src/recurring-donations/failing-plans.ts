import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext } from '../pages/env.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { empty, table, type Column } from '../pages/table.ts';
import { planFailureText } from './failure-text.ts';
import { ASKING_EMAILS } from './plan-with-payments.ts';

/** Maximum number of plans in the table of one currency. */
const MAX_PLANS = 100;

/** SQL: what a plan brings in a year, in minor units. */
const YEARLY_CENTS = sql<number>`(recurring_plan.amount_cents * case recurring_plan.frequency
  when 'monthly' then 12 when 'quarterly' then 4 else 1 end)::float8`;

/** Number and sum of records in one currency. */
interface Sum {
  currency: string;
  count: number;
  cents: number;
}

const selectFailing = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .where(isCounted('recurring_plan', organizationId))
    .where('recurring_plan.status', '=', 'past_due');

/** Adds up what the plans whose payment failed bring in a year, one row for each currency. */
const sumFailing = (db: Db, organizationId: string): Promise<Sum[]> =>
  selectFailing(db, organizationId)
    .groupBy('currency')
    .orderBy('currency')
    .select(['currency', sql<number>`count(*)::int`.as('count')])
    .select(sql<number>`sum(${YEARLY_CENTS})`.as('cents'))
    .execute();

/** Adds up this month's payments of plans that had failed before, after refunds and disputes. */
const sumRecovered = (db: Db, organizationId: string, timeZone: string): Promise<Sum[]> =>
  forOrganization(db, organizationId)
    .selectFrom('donation')
    .where(isCounted('donation', organizationId))
    .where('recovered', '=', true)
    .where('created_at', '>=', sql<Date>`date_trunc('month', now(), ${timeZone})`)
    .groupBy('currency')
    .orderBy('currency')
    .select(['currency', sql<number>`count(*)::int`.as('count')])
    .select(sql<number>`sum(remaining_amount_cents)::float8`.as('cents'))
    .execute();

const loadFailing = (db: Db, organizationId: string, currency: string) =>
  selectFailing(db, organizationId)
    .where('currency', '=', currency)
    .selectAll('recurring_plan')
    .select(YEARLY_CENTS.as('yearly_cents'))
    .select((eb) =>
      eb
        .selectFrom('mail')
        .whereRef('mail.plan_id', '=', 'recurring_plan.id')
        .where('mail.kind', 'in', ASKING_EMAILS)
        .select((mail) => mail.fn.max('mail.sent_at').as('at'))
        .as('asked_at'),
    )
    .orderBy('yearly_cents', 'desc')
    .orderBy('recurring_plan.id')
    .limit(MAX_PLANS)
    .execute();

type FailingPlan = Awaited<ReturnType<typeof loadFailing>>[number];

const money = ({ cents, currency }: Pick<Sum, 'cents' | 'currency'>) =>
  formatMoney(cents, currency, LOCALE);
const amounts = (sums: readonly Sum[]) => sums.map(money).join(', ');
const countOf = (sums: readonly Sum[]) => sums.reduce((total, { count }) => total + count, 0);

/** What is at stake and what was recovered this month, for the page of all plans; empty if there is neither. */
export async function failingLine(c: DashboardContext, { db }: Deps): Promise<Html | ''> {
  const { organizationId, timeZone } = c.var.organization;
  const [failing, recovered] = await Promise.all([
    sumFailing(db, organizationId),
    sumRecovered(db, organizationId, timeZone),
  ]);
  const count = countOf(failing);
  return html`${
    count > 0
      ? html`<p>
          <a href="${organizationPath(c, '/plans/failing')}"
            >${count.toLocaleString(LOCALE)}
            ${count === 1 ? 'recurring donation' : 'recurring donations'} whose payment failed</a
          >, ${amounts(failing)} a year.
        </p>`
      : ''
  }
  ${recovered.length > 0 ? recoveredText(recovered) : ''}`;
}

const recoveredText = (recovered: readonly Sum[]) =>
  html`<p>
    <strong>Recovered this month: ${amounts(recovered)}.</strong> These payments had failed before
    and were then paid.
  </p>`;

/** Renders the page with the plans whose payment failed, those that bring most in a year first. */
export async function renderFailing(c: DashboardContext, { db }: Deps) {
  const { organizationId, timeZone, currency: own } = c.var.organization;
  const [sums, recovered] = await Promise.all([
    sumFailing(db, organizationId),
    sumRecovered(db, organizationId, timeZone),
  ]);
  const ordered = [
    ...sums.filter(({ currency }) => currency === own),
    ...sums.filter(({ currency }) => currency !== own),
  ];
  const columns = columnsAt(organizationPath(c, '/plans'), timeZone);
  const sections = await Promise.all(
    ordered.map(async (sum) => {
      const rows = await loadFailing(db, organizationId, sum.currency);
      const code = sum.currency.toUpperCase();
      return html`<h2>${code}: ${money(sum)} a year</h2>
        ${table(`Failed payments in ${code}`, columns, rows)}
        ${
          sum.count > MAX_PLANS
            ? html`<p class="muted">The ${MAX_PLANS} with the most at stake are listed.</p>`
            : ''
        }`;
    }),
  );
  return renderPage(c, {
    title: 'Failed payments',
    backLink: { href: organizationPath(c, '/plans'), text: 'Recurring donations' },
    content: html`<p class="muted">
        These recurring donations go on when Stripe charges the donor at another try, or when the
        donor adds another payment method. Those that bring most in a year come first.
      </p>
      ${recovered.length > 0 ? recoveredText(recovered) : ''}
      ${sections.length > 0 ? sections : empty('No payment of a recurring donation has failed.')}`,
  });
}

const columnsAt = (path: string, timeZone: string): Column<FailingPlan>[] => {
  const date = (at: Date | null) => at && dateElement(at, timeZone);
  return [
    {
      head: 'Donor',
      as: 'rowHeader',
      cell: ({ id, donor_name, donor_email }) =>
        html`<a href="${path}/${id}">${donor_name ?? donor_email ?? 'Anonymous'}</a>`,
    },
    { head: 'Reason', cell: planFailureText },
    { head: 'Tries', as: 'number', cell: ({ failed_attempts }) => failed_attempts },
    { head: 'Next try', cell: ({ next_attempt_at }) => date(next_attempt_at) },
    { head: 'Email sent', cell: ({ asked_at }) => date(asked_at) },
    {
      head: 'A year',
      as: 'number',
      cell: ({ yearly_cents: cents, currency }) => money({ cents, currency }),
    },
  ];
};
