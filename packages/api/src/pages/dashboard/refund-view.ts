import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { canRefund } from '../../money/refund-donation.ts';
import { LOCALE, type Html } from '../layout.ts';
import { amount, textArea, radios } from './field-view.ts';
import type { FormState } from './fields.ts';
import type { PageContext } from './dashboard-layout.ts';
import { facts } from './table.ts';

export type Refundable = Selectable<Database['donation']>;

/** Link to the refund form. Empty if the member may not refund or nothing can be refunded. */
export function refundLink({ organization }: PageContext, donation: Refundable): Html {
  if (!organization || !canRefund(organization) || refundBlockedReason(donation)) return html``;
  const path = `/dashboard/${donation.organization_id}/donations/${donation.id}/refund`;
  return html`<p class="buttons"><a class="button second" href="${path}">Refund donation</a></p>`;
}

/** Why the donation cannot be refunded; undefined if it can. */
export function refundBlockedReason(donation: Refundable): string | undefined {
  if (!donation.processor_payment_intent_id) {
    return 'This donation was not taken through the card processor here.';
  }
  if (donation.refund_status === 'full') return 'All of this donation has been refunded.';
  if (donation.dispute_status === 'open') {
    return 'The donor’s bank disputes this donation; the money is returned through the dispute.';
  }
  if (donation.dispute_status === 'lost') {
    return 'The donor’s bank has taken this donation back already.';
  }
  return undefined;
}

const REASONS = [
  { value: 'requested_by_customer', text: 'The donor asked for it' },
  { value: 'duplicate', text: 'It was given twice by mistake' },
  {
    value: 'fraudulent',
    text: 'The card was used by somebody else',
    hint: 'The processor blocks this card and address from now on.',
  },
];

/**
 * Form for the amount and reason of a refund. The text above its button states the consequences.
 */
export function refundForm(donation: Refundable, draft: FormState, back: string): Html {
  const blockedReason = refundBlockedReason(donation);
  if (blockedReason) return html`<p class="panel">${blockedReason}</p>`;
  const money = (cents: number) => formatMoney(cents, donation.currency, LOCALE);
  const left = donation.amount_cents - donation.refunded_amount_cents;
  return html`<form method="post" class="panel">
    <input type="hidden" name="returned_before" value="${draft.value('returned_before')}" />
    ${facts([
      ['Donor', donation.donor_name ?? 'Anonymous'],
      ['Gross', money(donation.amount_cents)],
      ['Refunded so far', money(donation.refunded_amount_cents)],
      ['Left to refund', money(left)],
    ])}
    ${amount(draft, {
      name: 'amount',
      label: 'Amount to refund',
      hint: `At most ${money(left)}.`,
      required: true,
    })}
    ${radios(draft, { name: 'reason', label: 'Why' }, REASONS)}
    ${textArea(draft, {
      name: 'note',
      label: 'Note',
      hint: 'For your own people; the donor does not see it.',
    })}
    <p>
      The money goes back to the card that it came from, in five to ten days. This cannot be undone,
      and the processor keeps its fee.
    </p>
    <p class="buttons">
      <button class="danger">Refund donation</button>
      <a class="button second" href="${back}">Back without a refund</a>
    </p>
  </form>`;
}
