import { SOURCE_TEXTS } from '@connect-embed/api/resources/donor-csv';
import { formatMoney, isDebit, type DebitType } from '@connect-embed/contract';
import { html } from 'hono/html';
import { DISPUTES_HELP } from '../pages/manual-link.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import {
  calendarDateElement,
  dateElement,
  exactTimeElement,
  timeZoneOf,
} from '../pages/dashboard-layout.ts';
import type { PageContext } from '../pages/env.ts';
import { fileFormText } from '../pages/lists/file-forms.ts';
import { badge, facts, figures, table, type Column, type Tone } from '../pages/table.ts';
import { amountFigures } from './amount-figures.ts';
import { paymentMethodLabel } from '@connect-embed/api/resources/donations/payment-method';
import type { DonationHistory } from './donation-history.ts';
import { statusBadge, type DonationRow } from './donation-table.ts';
import { stateOf } from '../payouts/payout-list.ts';
import { partLabel } from '../payouts/payout-parts.ts';
import { DISPUTE_STATUSES, reasonText, refundStatus } from './refund-and-dispute-status.ts';

/**
 * Renders the page of one donation: amounts, donor, source, payment, refunds, disputes and payouts.
 *
 * @param actions what the member can do with the donation
 */
export function donationView(
  pageContext: PageContext,
  donation: DonationRow,
  history: DonationHistory,
  actions: Html,
): Html {
  const organizationPath = `/dashboard/${donation.organization_id}`;
  const timeZone = timeZoneOf(pageContext);
  return html`${figures(
      amountFigures(
        {
          currency: donation.currency,
          gross_cents: donation.amount_cents,
          refunded_cents: donation.refunded_amount_cents,
          disputed_cents: donation.disputed_amount_cents,
          fee_cents: donation.fee_cents,
          dispute_fee_cents: donation.dispute_fee_cents,
          net_cents: donation.net_amount_cents,
        },
        donation.settlement_currency ? 'In another currency' : 'Not available yet',
      ),
    )}
    <section class="panel" aria-labelledby="donation">
      <h2 id="donation">Donation</h2>
      ${facts([
        ['Status', statusBadge(donation)],
        ...dateFacts(donation, timeZone),
        ['Type', frequency(organizationPath, donation)],
        ['Donor', donor(pageContext, organizationPath, donation)],
        ['Email', donation.donor_email],
        ['Fund', linkOrText(`${organizationPath}/funds/${donation.fund_id}`, donation.fund_name)],
        [
          'Campaign',
          linkOrText(
            `${organizationPath}/campaigns/${donation.campaign_id}`,
            history.campaign?.name,
          ),
        ],
        ['Form', formName(organizationPath, donation, history)],
        ['Website', donation.page_origin],
        ['Dedication', donation.dedication],
        ['Message', donation.comment],
        [
          'Source',
          `${SOURCE_TEXTS[donation.source] ?? donation.source}${history.origin ? `, ${history.origin}` : ''}`,
        ],
        ['Payment method', paymentMethodLabel(donation)],
        ['Reference', donation.reference],
        ['Donation ID', code(donation.id)],
      ])}
      <div class="buttons">${actions}</div>
    </section>
    ${payment(donation, history, timeZone)} ${refunds(donation, history, timeZone)}
    ${disputes(donation, history, timeZone)} ${emails(history, timeZone)}
    ${payouts(pageContext, organizationPath, history)}`;
}

/**
 * Returns both days of a bank debit, which arrives days after the donor has confirmed it, and one day of other
 * payments: unless one was recorded more than an hour later, and so is listed on another day than its receipt names.
 */
function dateFacts({ paid_at, created_at, payment_method }: DonationRow, timeZone: string) {
  const paid = exactTimeElement(paid_at, timeZone);
  const recorded = exactTimeElement(created_at, timeZone);
  if (isDebit(payment_method)) {
    return [
      ['Confirmed by the donor', paid],
      ['Money arrived', recorded],
    ] as const;
  }
  const isLate = created_at.getTime() - paid_at.getTime() > PROMPT_EVENT_MS;
  return [['Paid', paid], ...(isLate ? [['Recorded', recorded] as const] : [])] as const;
}

const PROMPT_EVENT_MS = 3_600_000;

const formName = (
  organizationPath: string,
  { form_id, form_name }: DonationRow,
  { form }: DonationHistory,
) =>
  form
    ? html`<a href="${organizationPath}/forms/${form_id}">${form.name}</a>`
    : form_name && fileFormText(form_name);

const frequency = (organizationPath: string, { recurring, plan_id }: DonationRow) => {
  if (!recurring) return 'One-time';
  const text = 'Recurring';
  return plan_id ? html`<a href="${organizationPath}/plans/${plan_id}">${text}</a>` : text;
};

const money = (cents: number | null, { currency }: Pick<DonationRow, 'currency'>) =>
  cents === null ? null : formatMoney(cents, currency, LOCALE);

const code = (text: string | null) => text && html`<code>${text}</code>`;

const linkOrText = (href: string, text: string | null | undefined) =>
  text ? html`<a href="${href}">${text}</a>` : null;

const donor = (
  { organization }: PageContext,
  organizationPath: string,
  { contact_id, donor_name }: DonationRow,
) =>
  contact_id && organization?.permissions.has('donors:read')
    ? html`<a href="${organizationPath}/donors/${contact_id}">${donor_name ?? 'Anonymous'}</a>`
    : donor_name;

const payment = (donation: DonationRow, { intent }: DonationHistory, timeZone: string) =>
  html`<section class="panel" aria-labelledby="payment">
    <h2 id="payment">Payment</h2>
    ${facts([
      ['Processor ID', code(donation.processor_payment_intent_id)],
      ...(intent ? intentFacts(intent, timeZone) : []),
      ...settlementFacts(donation),
      ['Source ID', code(donation.source_id)],
    ])}
  </section>`;

/** Lists the amounts that were added to a balance in another currency. */
function settlementFacts(donation: DonationRow): [string, string | null][] {
  const { settlement_currency: currency, exchange_rate } = donation;
  if (currency === null) return [];
  const amount = (cents: number | null) => money(cents, { currency });
  const rate = exchange_rate?.toLocaleString(LOCALE, { maximumSignificantDigits: 6 });
  return [
    ['Paid into your balance', amount(donation.settlement_amount_cents)],
    ['Fee', amount(donation.settlement_fee_cents)],
    ['Net', amount(donation.settlement_net_cents)],
    [
      'Exchange rate',
      rate ? `1 ${donation.currency.toUpperCase()} = ${rate} ${currency.toUpperCase()}` : null,
    ],
  ];
}

const intentFacts = (intent: NonNullable<DonationHistory['intent']>, timeZone: string) =>
  [
    ['Payment status', badge(...INTENT_STATUS_BADGES[intent.status])],
    ['Started', exactTimeElement(intent.created_at, timeZone)],
    ['Last updated', intent.status_at && exactTimeElement(intent.status_at, timeZone)],
    ['Last failed attempt', intent.failure_message],
  ] as const;

type IntentStatus = NonNullable<DonationHistory['intent']>['status'];

const INTENT_STATUS_BADGES: Record<IntentStatus, [string, Tone]> = {
  open: ['Open', 'pending'],
  processing: ['On its way', 'pending'],
  failed: ['Failed', 'negative'],
  succeeded: ['Paid', 'positive'],
};

type Refund = DonationHistory['refunds'][number];

function refunds(donation: DonationRow, { refunds }: DonationHistory, timeZone: string): Html {
  if (refunds.length === 0) return html``;
  const columns: Column<Refund>[] = [
    {
      head: 'Refund',
      as: 'rowHeader',
      cell: ({ processor_refund_id }) => code(processor_refund_id),
    },
    { head: 'Date', cell: ({ created_at }) => exactTimeElement(created_at, timeZone) },
    { head: 'Status', cell: (refund) => badge(...refundStatus(refund)) },
    {
      head: 'Reason',
      cell: ({ failure_reason, reason }) => reasonText(failure_reason ?? reason),
    },
    { head: 'Note', cell: ({ note }) => note },
    { head: 'Amount', as: 'number', cell: ({ amount_cents }) => money(amount_cents, donation) },
  ];
  return html`<h2>Refunds</h2>
    ${table('Refunds', columns, refunds)}`;
}

type Dispute = DonationHistory['disputes'][number];

function disputes(donation: DonationRow, { disputes }: DonationHistory, timeZone: string): Html {
  if (disputes.length === 0) return html``;
  const columns: Column<Dispute>[] = [
    {
      head: 'Dispute',
      as: 'rowHeader',
      cell: ({ processor_dispute_id }) => code(processor_dispute_id),
    },
    { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
    { head: 'Status', cell: ({ status }) => badge(...DISPUTE_STATUSES[status]) },
    { head: 'Reason', cell: ({ reason }) => reasonText(reason) },
    {
      head: 'Respond by',
      cell: ({ evidence_due_at }) => evidence_due_at && dateElement(evidence_due_at, timeZone),
    },
    { head: 'Amount', as: 'number', cell: ({ amount_cents }) => money(amount_cents, donation) },
  ];
  const { payment_method: method } = donation;
  return html`<h2>Disputes</h2>
    <p class="muted">
      ${isDebit(method) ? DEBIT_DISPUTES[method] : ''}
      ${disputes.some(({ status }) => status === 'inquiry') ? INQUIRY : ''}
      <a href="${DISPUTES_HELP}" target="_blank" rel="noopener">What to do about a dispute</a>
    </p>
    ${table('Disputes', isDebit(method) ? columns.filter(({ head }) => head !== 'Respond by') : columns, disputes)}`;
}

const INQUIRY =
  'The bank asks about this payment, and has taken no money. Answer at Stripe, or refund the whole donation, which ends the inquiry.';

/** Rules of debits that a bank takes back: https://docs.stripe.com/payments/sepa-debit#disputed-payments */
const DEBIT_DISPUTES: Record<DebitType, string> = {
  sepa_debit:
    'The bank took this payment back. It cannot be contested. Donors can have a SEPA direct debit returned within 8 weeks without giving a reason, and within 13 months if they did not authorize it. If it was a mistake, ask the donor to give again.',
  us_bank_account:
    'The bank took this payment back. It cannot be contested. Account holders can have a debit returned, usually within 60 days. If it was a mistake, ask the donor to give again.',
};

type SentEmail = DonationHistory['emails'][number];

/** Renders the emails to the donor about the donation. They are listed for 30 days. */
function emails({ emails }: DonationHistory, timeZone: string): Html {
  if (emails.length === 0) return html``;
  const columns: Column<SentEmail>[] = [
    { head: 'Email', as: 'rowHeader', cell: ({ kind }) => EMAIL_LABELS[kind] ?? kind },
    {
      head: 'Date',
      cell: ({ sent_at, created_at }) => exactTimeElement(sent_at ?? created_at, timeZone),
    },
    { head: 'Status', cell: ({ status }) => badge(...EMAIL_STATUS_BADGES[status]) },
  ];
  return html`<h2>Emails to the donor</h2>
    ${table('Emails to the donor', columns, emails)}`;
}

const EMAIL_LABELS: Partial<Record<string, string>> = { receipt: 'Receipt', refund: 'Refund' };

const EMAIL_STATUS_BADGES: Record<SentEmail['status'], [string, Tone]> = {
  pending: ['Waiting', 'pending'],
  sent: ['Sent', 'positive'],
  failed: ['Not delivered', 'negative'],
};

type Payout = DonationHistory['payouts'][number];

function payouts(
  { organization }: PageContext,
  organizationPath: string,
  { payouts }: DonationHistory,
): Html {
  if (payouts.length === 0 || !organization?.permissions.has('payouts:read')) return html``;
  const columns: Column<Payout>[] = [
    {
      head: 'Payout',
      as: 'rowHeader',
      cell: ({ id }) => linkOrText(`${organizationPath}/payouts/${id}`, id),
    },
    { head: 'Status', cell: stateOf },
    { head: 'Arrives', cell: ({ arrival_date }) => calendarDateElement(arrival_date) },
    { head: 'Type', cell: partLabel },
    // In the currency of the balance, which may be another than the donor's.
    { head: 'Amount', as: 'number', cell: (payout) => money(payout.amount_cents, payout) },
  ];
  return html`<h2>Payouts</h2>
    ${table('Payouts', columns, payouts)}`;
}
