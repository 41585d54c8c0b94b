import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { savedMethodLabel } from '@connect-embed/api/resources/donations/payment-method';
import { dateElement } from '../pages/dashboard-layout.ts';
import {
  badge,
  badgeWithMode,
  empty,
  facts,
  table,
  type Column,
  type Tone,
} from '../pages/table.ts';
import { unusualStatus } from '../donations/donation-table.ts';
import { paymentsUnderWay } from '../donations/on-their-way.ts';
import type { RecurringPlanWithPayments } from './plan-with-payments.ts';
import { needsOtherMethod } from './lost-method.ts';
import { problemNotice } from './problem-notice.ts';

export type RecurringPlanRow = Selectable<Database['recurring_plan']>;

export const PLAN_STATUSES: Record<RecurringPlanRow['status'], [string, Tone]> = {
  active: ['Active', 'positive'],
  paused: ['Paused', 'neutral'],
  past_due: ['Payment failed', 'negative'],
  canceled: ['Ended', 'neutral'],
  incomplete: ['Incomplete', 'pending'],
};
const stateOf = (plan: RecurringPlanRow) =>
  badgeWithMode(
    needsOtherMethod(plan)
      ? badge('Needs payment method', 'negative')
      : badge(...PLAN_STATUSES[plan.status]),
    plan,
  );

export const FREQUENCY_LABELS: Record<RecurringPlanRow['frequency'], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
};

export const amountOf = ({
  amount_cents,
  currency,
}: Pick<RecurringPlanRow, 'amount_cents' | 'currency'>) =>
  formatMoney(amount_cents, currency, LOCALE);

/**
 * Returns the columns of the table of recurring donations.
 *
 * @param path URL path of the list
 */
export const columnsAt = (path: string, timeZone: string): Column<RecurringPlanRow>[] => [
  {
    head: 'Donor',
    as: 'rowHeader',
    cell: ({ id, donor_name, donor_email }) =>
      html`<a href="${path}/${id}">${donor_name ?? donor_email ?? 'Anonymous'}</a>`,
  },
  { head: 'Frequency', cell: ({ frequency }) => FREQUENCY_LABELS[frequency] },
  { head: 'Status', cell: stateOf },
  { head: 'Next donation', cell: ({ next_payment_at: at }) => at && dateElement(at, timeZone) },
  { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  { head: 'Amount', as: 'number', cell: amountOf },
];

/**
 * Renders the page of one recurring donation with its payments.
 *
 * @param path URL path of this page
 */
export const recurringPlanView = (
  recurringPlan: RecurringPlanWithPayments,
  {
    path,
    timeZone,
    mayChange,
    mayAsk,
  }: { path: string; timeZone: string; mayChange: boolean; mayAsk: boolean },
): Html => {
  const organization = path.split('/plans/')[0]!;
  return html`${problemNotice(recurringPlan, { path, timeZone, mayAsk })}
    <section class="panel" aria-label="Recurring donation">
      ${factsOf(recurringPlan, organization, timeZone)}
      ${mayChange && recurringPlan.status !== 'canceled' ? actions(path) : ''}
    </section>
    ${paymentsUnderWay(recurringPlan.onTheirWay, recurringPlan.returned, { path: organization, timeZone })}
    <h2>Payments</h2>
    ${
      recurringPlan.payments.length
        ? table('Payments', paymentColumns(organization, timeZone), recurringPlan.payments)
        : empty('No payments yet.')
    }`;
};

const factsOf = (
  recurringPlan: RecurringPlanWithPayments,
  organization: string,
  timeZone: string,
) => {
  const donor = recurringPlan.payments[0]?.contact_id;
  const name = recurringPlan.donor_name ?? recurringPlan.donor_email ?? 'Anonymous';
  return facts([
    ['Donor', donor ? html`<a href="${organization}/donors/${donor}">${name}</a>` : name],
    ['Email', recurringPlan.donor_email],
    ['Amount', amountOf(recurringPlan)],
    ['Frequency', FREQUENCY_LABELS[recurringPlan.frequency]],
    ['Status', stateOf(recurringPlan)],
    [
      'Next donation',
      recurringPlan.next_payment_at && dateElement(recurringPlan.next_payment_at, timeZone),
    ],
    ['Fund', recurringPlan.fund_name],
    ['Campaign', recurringPlan.campaign_name],
    ['Payment method', savedMethodLabel(recurringPlan.card_label)],
    ['Since', dateElement(recurringPlan.created_at, timeZone)],
    ['Ended', recurringPlan.canceled_at && dateElement(recurringPlan.canceled_at, timeZone)],
    ['Plan ID', html`<code>${recurringPlan.id}</code>`],
    ['Processor ID', html`<code>${recurringPlan.processor_subscription_id}</code>`],
  ]);
};

const actions = (path: string) =>
  html`<div class="buttons">
    <form method="post" action="${path}/end-links">
      <button class="secondary">End links in earlier emails</button>
    </form>
    <a class="button secondary" href="${path}/cancel">End recurring donation</a>
  </div>`;

type Payment = RecurringPlanWithPayments['payments'][number];

const paymentColumns = (organization: string, timeZone: string): Column<Payment>[] => [
  {
    head: 'Date',
    as: 'rowHeader',
    cell: ({ id, created_at }) =>
      html`<a href="${organization}/donations/${id}">${dateElement(created_at, timeZone)}</a>`,
  },
  { head: 'Status', cell: unusualStatus },
  { head: 'Amount', as: 'number', cell: amountOf },
];
