import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { addBusinessDays } from '@connect-embed/api/payments/expected-arrival';
import { canRefund, isMoneyDisputed } from '@connect-embed/api/payments/refund-donation';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { Html } from '@connect-embed/api/lib/html';
import { amount, textArea, radios } from '../pages/field-view.ts';
import type { FormState } from '../pages/fields.ts';
import type { PageContext } from '../pages/env.ts';
import { facts } from '../pages/table.ts';

export type Refundable = Selectable<Database['donation']>;

/**
 * Renders the link to the refund form, or why nothing can be refunded. The result is empty if the member
 * may not refund.
 */
export function refundLink({ organization }: PageContext, donation: Refundable): Html {
  if (!organization || !canRefund(organization)) return html``;
  const blockedReason = refundBlockedReason(donation, organization);
  if (blockedReason) return html`<p class="small muted">${blockedReason}</p>`;
  const path = `/dashboard/${donation.organization_id}/donations/${donation.id}/refund`;
  return html`<a class="button secondary" href="${path}">Refund donation</a>`;
}

/** Whether a donation was made with live keys and the organization now uses test keys, or the reverse. */
const isOfOtherMode = (
  donation: Refundable,
  { livemode }: Pick<MembershipWithSettings, 'livemode'>,
): boolean => livemode !== null && livemode !== donation.livemode;

const otherModeReason = ({ livemode }: Refundable): string =>
  livemode
    ? 'This donation was made with live keys. To refund it, enter your live keys under Payments again, or refund it at Stripe.'
    : 'This is a test donation. No money moved, so there is nothing to return.';

/** Returns the reason why the donation cannot be refunded; undefined if it can be refunded. */
function refundBlockedReason(
  donation: Refundable,
  organization: Pick<MembershipWithSettings, 'livemode'>,
): string | undefined {
  if (!donation.processor_payment_intent_id) {
    return 'This donation was not paid through the card processor, so it cannot be refunded here.';
  }
  if (donation.refund_status === 'full') return 'This donation is fully refunded.';
  if (isMoneyDisputed(donation)) {
    return 'The donor’s bank disputes this donation. The money is returned through the dispute.';
  }
  if (donation.dispute_status === 'lost') {
    return 'The dispute was lost, so the donor’s bank has already returned the money.';
  }
  if (isOfOtherMode(donation, organization)) return otherModeReason(donation);
  return undefined;
}

/** Longest note of a refund, in characters. */
export const MAX_NOTE = 500;

const REASONS = [
  { value: 'requested_by_customer', text: 'Requested by the donor' },
  { value: 'duplicate', text: 'Duplicate donation' },
  {
    value: 'fraudulent',
    text: 'Fraudulent',
    hint: 'The card processor blocks this card and email address.',
  },
];

const INQUIRY =
  'The bank asks about this payment. Only a refund of the whole donation ends its inquiry.';

/** Business days after a SEPA debit in which Stripe advises against a refund. */
const SEPA_REFUND_DAYS = 7;
const CREDITED_TWICE =
  'This SEPA direct debit was charged less than 7 business days ago. If the donor also asks the bank to take it back, the donor is credited twice, and you pay both. Ask the donor first, or wait a few days.';

/**
 * Whether a refund can meet a return of the same debit by the bank:
 * https://docs.stripe.com/payments/sepa-debit#refunds
 */
const mayBeCreditedTwice = ({ payment_method, paid_at }: Refundable): boolean =>
  payment_method === 'sepa_debit' && addBusinessDays(paid_at, SEPA_REFUND_DAYS) > new Date();

/**
 * Renders the form for the amount and reason of a refund. The text above its button states the
 * consequences.
 */
export function refundForm(
  donation: Refundable,
  organization: Pick<MembershipWithSettings, 'livemode'>,
  draft: FormState,
  cancelHref: string,
): Html {
  const blockedReason = refundBlockedReason(donation, organization);
  if (blockedReason) return html`<p class="panel">${blockedReason}</p>`;
  const money = (cents: number) => formatMoney(cents, donation.currency, LOCALE);
  const refundableCents = donation.amount_cents - donation.refunded_amount_cents;
  return html`<form method="post" class="panel">
    <input type="hidden" name="returned_before" value="${draft.value('returned_before')}" />
    ${facts([
      ['Donor', donation.donor_name ?? 'Anonymous'],
      ['Gross', money(donation.amount_cents)],
      ['Refunded so far', money(donation.refunded_amount_cents)],
      ['Available to refund', money(refundableCents)],
    ])}
    ${amount(draft, {
      name: 'amount',
      label: 'Amount to refund',
      hint: `At most ${money(refundableCents)}.`,
      required: true,
    })}
    ${radios(draft, { name: 'reason', label: 'Reason' }, REASONS)}
    ${textArea(draft, {
      name: 'note',
      label: 'Note',
      hint: 'For your team only. The donor does not see it.',
      max: MAX_NOTE,
    })}
    ${donation.dispute_status === 'open' ? html`<p class="notice">${INQUIRY}</p>` : ''}
    ${mayBeCreditedTwice(donation) ? html`<p class="notice">${CREDITED_TWICE}</p>` : ''}
    <p>
      The money returns to the payment method that the donor used, usually in 5–10 days. The card
      processor keeps its fee. A refund cannot be undone.
    </p>
    <p class="buttons">
      <button class="danger">Refund donation</button>
      <a class="button secondary" href="${cancelHref}">Go back</a>
    </p>
  </form>`;
}
