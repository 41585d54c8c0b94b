import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { LOCALE, type Html } from '../../layout.ts';
import { day } from '../dashboard-layout.ts';
import { badge, empty, facts, table, type Column, type Tone } from '../table.ts';
import type { PlanWithPayments } from './plan-with-payments.ts';

type Plan = Selectable<Database['recurring_plan']>;

const STATES: Record<Plan['status'], [string, Tone]> = {
  active: ['Active', 'positive'],
  paused: ['Paused', 'neutral'],
  past_due: ['Payment failed', 'negative'],
  canceled: ['Ended', 'neutral'],
  incomplete: ['Incomplete', 'pending'],
};
const stateOf = ({ status }: Plan) => badge(...STATES[status]);

const FREQUENCY_LABELS: Record<Plan['frequency'], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
};

export const amountOf = ({ amount_cents, currency }: Pick<Plan, 'amount_cents' | 'currency'>) =>
  formatMoney(amount_cents, currency, LOCALE);

/**
 * Columns of the table of recurring donations.
 *
 * @param path URL path of the list
 */
export const columnsAt = (path: string, timeZone: string): Column<Plan>[] => [
  {
    head: 'Donor',
    as: 'rowHeader',
    cell: ({ id, donor_name, donor_email }) =>
      html`<a href="${path}/${id}">${donor_name ?? donor_email ?? 'Anonymous'}</a>`,
  },
  { head: 'Frequency', cell: ({ frequency }) => FREQUENCY_LABELS[frequency] },
  { head: 'Status', cell: stateOf },
  { head: 'Next donation', cell: ({ next_payment_at: at }) => at && day(at, timeZone) },
  { head: 'Since', cell: ({ created_at }) => day(created_at, timeZone) },
  { head: 'Amount', as: 'number', cell: amountOf },
];

/**
 * Page of one recurring donation with its payments.
 *
 * @param path URL path of this page
 */
export const planView = (
  plan: PlanWithPayments,
  { path, timeZone, mayChange }: { path: string; timeZone: string; mayChange: boolean },
): Html => {
  const organization = path.split('/plans/')[0]!;
  return html`<section class="panel" aria-label="Recurring donation">
      ${factsOf(plan, organization, timeZone)}
      ${mayChange && plan.status !== 'canceled' ? planActions(path) : ''}
    </section>
    <h2>Payments</h2>
    ${
      plan.payments.length
        ? table('Payments', paymentColumns(organization, timeZone), plan.payments)
        : empty('No payments yet.')
    }`;
};

const factsOf = (plan: PlanWithPayments, organization: string, timeZone: string) => {
  const donor = plan.payments[0]?.contact_id;
  const name = plan.donor_name ?? plan.donor_email ?? 'Anonymous';
  return facts([
    ['Donor', donor ? html`<a href="${organization}/donors/${donor}">${name}</a>` : name],
    ['Email', plan.donor_email],
    ['Amount', amountOf(plan)],
    ['Frequency', FREQUENCY_LABELS[plan.frequency]],
    ['Status', stateOf(plan)],
    ['Next donation', plan.next_payment_at && day(plan.next_payment_at, timeZone)],
    ['Fund', plan.fund_name],
    ['Campaign', plan.campaign_name],
    ['Card', plan.card_label],
    ['Since', day(plan.created_at, timeZone)],
    ['Ended', plan.canceled_at && day(plan.canceled_at, timeZone)],
    ['Plan ID', html`<code>${plan.id}</code>`],
    ['Processor ID', html`<code>${plan.processor_subscription_id}</code>`],
  ]);
};

const planActions = (path: string) =>
  html`<div class="buttons">
    <form method="post" action="${path}/end-links">
      <button class="secondary">End links in earlier emails</button>
    </form>
    <a class="button secondary" href="${path}/cancel">End recurring donation</a>
  </div>`;

type Payment = PlanWithPayments['payments'][number];

const REFUNDS: Record<string, string> = { partial: 'Partly refunded', full: 'Refunded' };

const paymentColumns = (organization: string, timeZone: string): Column<Payment>[] => [
  {
    head: 'Date',
    as: 'rowHeader',
    cell: ({ id, paid_at }) =>
      html`<a href="${organization}/donations/${id}">${day(paid_at, timeZone)}</a>`,
  },
  { head: 'Refund', cell: ({ refund_status }) => REFUNDS[refund_status] ?? null },
  { head: 'Amount', as: 'number', cell: amountOf },
];
