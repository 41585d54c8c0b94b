import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { LOCALE, type Html } from '../../layout.ts';
import { calendarDay, day, moment, zoneOf, type Place } from '../frame.ts';
import { badge, facts, table, type Column, type Tone } from '../table.ts';
import { methodText } from './payment-method.ts';
import { donationActions } from './donation-actions.ts';
import type { DonationStory } from './donation-story.ts';
import { statusBadge, type DonationRow } from './donation-table.ts';
import { PART_NAMES } from './payout-parts.ts';

/** One donation: the money, the person, where it came from, and what happened afterwards. */
export function donationView(place: Place, donation: DonationRow, story: DonationStory): Html {
  const home = `/dashboard/${donation.organization_id}`;
  const timeZone = zoneOf(place);
  return html`${figures(donation)}
    <section class="panel" aria-labelledby="donation">
      <h2 id="donation">The donation</h2>
      ${facts([
        ['Status', statusBadge(donation)],
        ['Paid', moment(donation.paid_at, timeZone)],
        ...recordedLater(donation, timeZone),
        ['Type', frequency(home, donation)],
        ['Donor', donor(place, home, donation)],
        ['Email', donation.donor_email],
        ['Fund', linked(`${home}/funds/${donation.fund_id}`, donation.fund_name)],
        ['Campaign', linked(`${home}/campaigns/${donation.campaign_id}`, story.campaign?.name)],
        [
          'Source',
          `${SOURCE[donation.source] ?? donation.source}${story.origin ? `, with ${story.origin}` : ''}`,
        ],
        ['Payment method', methodText(donation)],
        ['Reference', donation.reference],
        ['Donation ID', code(donation.id)],
      ])}
      ${donationActions(place, donation)}
    </section>
    ${payment(donation, story, timeZone)} ${refunds(donation, story, timeZone)}
    ${disputes(donation, story, timeZone)} ${payouts(place, home, donation, story)}`;
}

/** Nothing for the usual gift, which the processor told of at once. */
const recordedLater = ({ paid_at, created_at }: DonationRow, timeZone: string) =>
  created_at.getTime() - paid_at.getTime() > TOLD_AT_ONCE_MS
    ? [['Recorded', moment(created_at, timeZone)] as const]
    : [];

const TOLD_AT_ONCE_MS = 3_600_000;

const frequency = (home: string, { recurring, plan_id }: DonationRow) => {
  if (!recurring) return 'One-time';
  const text = 'Recurring';
  return plan_id ? html`<a href="${home}/plans/${plan_id}">${text}</a>` : text;
};

const SOURCE: Record<string, string> = {
  embed: 'Through a donation form',
  api: 'Through the API',
  import: 'From an import',
};

const money = (cents: number | null, { currency }: Pick<DonationRow, 'currency'>) =>
  cents === null ? null : formatMoney(cents, currency, LOCALE);

const code = (text: string | null) => text && html`<code>${text}</code>`;

const linked = (href: string, text: string | null | undefined) =>
  text ? html`<a href="${href}">${text}</a>` : null;

const donor = ({ organization }: Place, home: string, { contact_id, donor_name }: DonationRow) =>
  contact_id && organization?.permissions.has('donors:read')
    ? html`<a href="${home}/donors/${contact_id}">${donor_name ?? 'Anonymous'}</a>`
    : donor_name;

const figures = (donation: DonationRow) =>
  html`<dl class="figures">
    <div>
      <dt>Gross</dt>
      <dd>${money(donation.amount_cents, donation)}</dd>
    </div>
    <div>
      <dt>Fee</dt>
      <dd>${money(donation.fee_cents, donation) ?? 'Not known yet'}</dd>
    </div>
    <div>
      <dt>Refunded</dt>
      <dd>${money(donation.refunded_amount_cents, donation)}</dd>
    </div>
    <div>
      <dt>Net</dt>
      <dd>${money(donation.net_amount_cents, donation) ?? 'Not known yet'}</dd>
    </div>
  </dl>`;

const payment = (donation: DonationRow, { intent }: DonationStory, timeZone: string) =>
  html`<section class="panel" aria-labelledby="payment">
    <h2 id="payment">The payment</h2>
    ${facts([
      ['Processor ID', code(donation.processor_payment_intent_id)],
      ...(intent ? attemptsOf(intent, timeZone) : []),
      ['Source ID', code(donation.source_id)],
    ])}
  </section>`;

const attemptsOf = (intent: NonNullable<DonationStory['intent']>, timeZone: string) =>
  [
    ['Status at the processor', badge(...INTENT[intent.status])],
    ['Started', moment(intent.created_at, timeZone)],
    ['Last updated', intent.status_at && moment(intent.status_at, timeZone)],
    ['Last failed attempt', intent.failure_message],
  ] as const;

const INTENT: Record<'open' | 'failed' | 'succeeded', [string, Tone]> = {
  open: ['Open', 'wait'],
  failed: ['Failed', 'bad'],
  succeeded: ['Paid', 'good'],
};

type Refund = DonationStory['refunds'][number];

function refunds(donation: DonationRow, { refunds }: DonationStory, timeZone: string): Html {
  if (refunds.length === 0) return html``;
  const columns: Column<Refund>[] = [
    { head: 'Refund', as: 'row', cell: ({ processor_refund_id }) => code(processor_refund_id) },
    { head: 'Date', cell: ({ created_at }) => moment(created_at, timeZone) },
    { head: 'Status', cell: ({ status }) => badge(...REFUND[status]) },
    { head: 'Reason', cell: ({ failure_reason, reason }) => failure_reason ?? reason },
    { head: 'Amount', as: 'number', cell: ({ amount_cents }) => money(amount_cents, donation) },
  ];
  return html`<h2>Refunds</h2>
    ${table('Refunds', columns, refunds)}`;
}

const REFUND: Record<Refund['status'], [string, Tone]> = {
  pending: ['Pending', 'wait'],
  requires_action: ['Action required', 'wait'],
  succeeded: ['Refunded', 'good'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'still'],
};

type Dispute = DonationStory['disputes'][number];

function disputes(donation: DonationRow, { disputes }: DonationStory, timeZone: string): Html {
  if (disputes.length === 0) return html``;
  const columns: Column<Dispute>[] = [
    { head: 'Dispute', as: 'row', cell: ({ processor_dispute_id }) => code(processor_dispute_id) },
    { head: 'Since', cell: ({ created_at }) => day(created_at, timeZone) },
    { head: 'Status', cell: ({ status }) => badge(...DISPUTE[status]) },
    { head: 'Reason', cell: ({ reason }) => reason },
    {
      head: 'Respond by',
      cell: ({ answer_until }) => answer_until && day(answer_until, timeZone),
    },
    { head: 'Amount', as: 'number', cell: ({ amount_cents }) => money(amount_cents, donation) },
  ];
  return html`<h2>Disputes</h2>
    ${table('Disputes', columns, disputes)}`;
}

const DISPUTE: Record<Dispute['status'], [string, Tone]> = {
  none: ['Inquiry', 'still'],
  open: ['Open', 'wait'],
  won: ['Won', 'good'],
  lost: ['Lost', 'bad'],
};

type Payout = DonationStory['payouts'][number];

function payouts(
  { organization }: Place,
  home: string,
  donation: DonationRow,
  { payouts }: DonationStory,
): Html {
  if (payouts.length === 0 || !organization?.permissions.has('payouts:read')) return html``;
  const columns: Column<Payout>[] = [
    { head: 'Payout', as: 'row', cell: ({ id }) => linked(`${home}/payouts/${id}`, id) },
    { head: 'Arrives', cell: ({ arrival_date }) => calendarDay(arrival_date) },
    { head: 'Type', cell: ({ type }) => PART_NAMES[type] },
    { head: 'Amount', as: 'number', cell: ({ amount_cents }) => money(amount_cents, donation) },
  ];
  return html`<h2>In payouts</h2>
    ${table('Payouts', columns, payouts)}`;
}
