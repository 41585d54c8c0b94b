import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../env.ts';
import { TEST_CARDS } from '../test-cards.ts';
import { TEST_DEBITS } from '../test-debits.ts';
import {
  readHomeData,
  type DisputeRow,
  type EventRow,
  type HomeData,
  type PaymentRow,
  type PayoutRow,
  type SubscriptionRow,
} from './home-data.ts';
import {
  type Column,
  accountCell,
  renderButton,
  moneyCell,
  renderSection,
  statusCell,
  formatTime,
} from './table.ts';

/** `/`: the front page of the simulated Stripe, with recent objects and admin actions. */
export const home = () =>
  new Hono<Env>().get('/', (c) => {
    const { db, clock, faults } = c.var.deps;
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    c.header('cache-control', 'no-store');
    return c.html(renderHomePage(readHomeData(db, clock.now(), faults.list())));
  });

const groupDigits = (number: string) => number.replaceAll(/(.{4})(?=.)/g, '$1 ');

const TIME_SPANS = ['day', 'week', 'month', 'year'] as const;

const METHOD_NAMES: Readonly<Record<string, string>> = {
  paypal: 'PayPal',
  sepa_debit: 'SEPA debit',
  us_bank_account: 'US bank account',
};

const PAYMENTS: readonly Column<PaymentRow>[] = [
  { label: 'Time', cell: ({ created }) => formatTime(created) },
  { label: 'Amount', cell: moneyCell, number: true },
  {
    label: 'Method',
    cell: ({ method, last4 }) => {
      const name = METHOD_NAMES[method] ?? html`<span class="card">${method}</span>`;
      return last4 ? html`${name} •••• ${last4}` : name;
    },
  },
  { label: 'Result', cell: resultOf },
  {
    label: 'At Stripe',
    cell: (payment) => {
      const { id, amount, refunded, status, disputed } = payment;
      if (status !== 'succeeded') return '';
      const values = { account: payment.account, charge: id };
      const subject = moneyCell(payment);
      return html`<div class="actions">
        ${refunded < amount && !disputed ? renderButton('/refunds', 'Refund', values, subject) : ''}
        ${disputed ? '' : renderButton('/disputes', 'Dispute', values, subject)}
      </div>`;
    },
  },
  { label: 'Account', cell: accountCell },
];

function resultOf({ status, failure, refunded, disputed, amount, currency }: PaymentRow) {
  if (failure) return html`<span class="failed">${failure}</span>`;
  if (status === 'pending') return 'Processing';
  const parts = [
    refunded
      ? refunded === amount
        ? 'Refunded'
        : `${moneyCell({ amount: refunded, currency })} refunded`
      : '',
    disputed ? 'Disputed' : '',
  ].filter(Boolean);
  return parts.join(', ') || 'Succeeded';
}

const billingInterval = ({ interval, interval_count }: SubscriptionRow) =>
  interval_count === 1 ? interval : `${interval_count} ${interval}s`;

const SUBSCRIPTIONS: readonly Column<SubscriptionRow>[] = [
  { label: 'Donor', cell: ({ email, id }) => email ?? id },
  {
    label: 'Amount',
    cell: (subscription) => `${moneyCell(subscription)} a ${billingInterval(subscription)}`,
    number: true,
  },
  { label: 'Status', cell: (subscription) => statusCell(subscription.status) },
  { label: 'Paid until', cell: ({ current_period_end }) => formatTime(current_period_end) },
  { label: 'Account', cell: accountCell },
  {
    label: 'Next renewal',
    cell: (subscription) => {
      if (subscription.fails_next) return 'Will fail';
      if (subscription.status !== 'active' && subscription.status !== 'past_due') return '';
      const { account, id, debited_method } = subscription;
      const donor = subscription.email ?? id;
      return html`<div class="actions">
        ${renderButton('/subscriptions/fail-next', 'Fail next payment', { account, subscription: id }, donor)}
        ${
          debited_method
            ? renderButton(
                '/mandates/end',
                'End mandate',
                { account, payment_method: debited_method },
                donor,
              )
            : ''
        }
      </div>`;
    },
  },
];

const PAYOUTS: readonly Column<PayoutRow>[] = [
  { label: 'Payout', cell: ({ id }) => html`<code>${id}</code>` },
  { label: 'Amount', cell: moneyCell, number: true },
  { label: 'Status', cell: (payout) => statusCell(payout.status) },
  { label: 'Arrives', cell: ({ arrival_date }) => formatTime(arrival_date).slice(0, 10) },
  { label: 'Account', cell: accountCell },
  {
    label: 'Next payout',
    cell: ({ id, account, currency }) =>
      renderButton('/fees', 'Charge monthly fee', { account, currency }, id),
  },
];

const DISPUTES: readonly Column<DisputeRow>[] = [
  { label: 'Dispute', cell: ({ id }) => html`<code>${id}</code>` },
  { label: 'Amount', cell: moneyCell, number: true },
  { label: 'Status', cell: (dispute) => statusCell(dispute.status) },
  { label: 'Respond by', cell: ({ due_by }) => (due_by ? formatTime(due_by) : 'Final') },
  { label: 'Account', cell: accountCell },
  {
    label: 'Outcome',
    cell: (dispute) => {
      if (/won|lost|closed/.test(dispute.status)) return '';
      const values = { account: dispute.account, dispute: dispute.id };
      return html`<div class="actions">
        ${renderButton('/disputes/close', 'Won', { ...values, outcome: 'won' }, moneyCell(dispute))}
        ${renderButton('/disputes/close', 'Lost', { ...values, outcome: 'lost' }, moneyCell(dispute))}
      </div>`;
    },
  },
];

const EVENTS: readonly Column<EventRow>[] = [
  { label: 'Time', cell: ({ created }) => formatTime(created) },
  { label: 'Event', cell: ({ type }) => html`<code>${type}</code>` },
  { label: 'Response', cell: ({ result }) => result ?? 'Not sent yet' },
  { label: 'Account', cell: accountCell },
];

const CARDS: readonly Column<(typeof TEST_CARDS)[number]>[] = [
  { label: 'Number', cell: ({ number }) => html`<code>${groupDigits(number)}</code>` },
  { label: 'What happens', cell: ({ description }) => description },
];

const DEBITS: readonly Column<(typeof TEST_DEBITS)[number]>[] = [
  { label: 'Method', cell: ({ account }) => METHOD_NAMES[account.type] ?? account.type },
  {
    label: 'Bank account',
    cell: ({ account }) =>
      account.type === 'sepa_debit'
        ? html`<code>${groupDigits(account.iban)}</code>`
        : html`<code>${account.routing_number}</code>, <code>${account.account_number}</code>`,
  },
  { label: 'What happens', cell: ({ description }) => description },
];

/**
 * Renders the front page of the sandbox, which resembles Stripe's Dashboard. It works without
 * scripts and loads only one style sheet.
 */
const renderHomePage = (home: HomeData) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox card processor</title>
        <link rel="stylesheet" href="/home.css" />
      </head>
      <body>
        <header>
          <h1>Sandbox card processor <span class="badge">TEST</span></h1>
          <p>
            Simulates Stripe on your machine, in Stripe's wire format. It accepts only the cards and
            bank accounts below, and no money moves.
          </p>
        </header>
        <main>
          ${renderClock(home.now)} ${home.faults.length ? renderFaults(home) : ''}
          ${renderSection('payments', 'Payments', home.payments, PAYMENTS, 'None yet.')}
          ${renderSection('subscriptions', 'Subscriptions', home.subscriptions, SUBSCRIPTIONS, 'None yet.')}
          ${renderSection('disputes', 'Disputes', home.disputes, DISPUTES, 'None. Open one on a payment above.')}
          ${renderSection('payouts', 'Payouts', home.payouts, PAYOUTS, 'None yet. Payments are paid out after two days.')}
          ${renderSection('events', `Events, ${home.pending_deliveries} pending`, home.events, EVENTS, 'None yet.')}
          ${renderSection('cards', 'Cards', TEST_CARDS, CARDS, '')}
          <p>Use any future date and any security code. Every other card is declined.</p>
          ${renderSection('debits', 'Try bank debits', TEST_DEBITS, DEBITS, '')}
          <p>
            A US bank account is a routing number and an account number. Debits are processing until
            the bank decides, some of them at once. Advance the clock to decide the others.
          </p>
        </main>
      </body>
    </html>`;

const renderClock = (now: number) =>
  html`<section class="clock" aria-labelledby="clock">
    <h2 id="clock">Time</h2>
    <p><time datetime="${new Date(now * 1000).toISOString()}">${formatTime(now)} UTC</time></p>
    <p>Advance the clock to trigger renewals, retries, debits, payouts and deadlines.</p>
    <div class="actions">
      ${TIME_SPANS.map((span) => renderButton('/clock', `A ${span} later`, { advance: span }))}
    </div>
  </section>`;

const renderFaults = ({ faults }: HomeData) =>
  html`<section aria-labelledby="faults">
    <h2 id="faults">Active faults</h2>
    <ul>
      ${faults.map(
        ({ name, rate, hits, rolls }) =>
          html`<li>
            <code>${name}</code>, ${Math.round(rate * 100)} %: ${hits} of ${rolls} so far
          </li>`,
      )}
    </ul>
  </section>`;
