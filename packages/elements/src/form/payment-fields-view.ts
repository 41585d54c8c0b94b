import { html, nothing } from 'lit';
import type { DonateMessages } from '../shared/message-types.ts';
import type { FormView } from './form-context.ts';

/** Whether Stripe shows only card fields for a payment method. Link fills them in. */
export const isCard = (type: string) => type === 'card' || type === 'link';

/** Renders the slot of the payment fields, and a placeholder until they are loaded. */
export function renderPaymentFields({ draft, viewState, slot, on }: FormView) {
  const { messages } = draft;
  const { paymentFields, paymentError, paymentNote } = viewState;
  const isReady = paymentFields === 'ready';
  const hasChoice = !(draft.form.payment_method_types ?? []).every(isCard);
  return html`<fieldset class="payment" aria-busy=${paymentFields === 'loading' || nothing}>
    <legend>${hasChoice ? messages.payment : messages.card}</legend>
    ${
      paymentError ??
      html`<div class="payment-area ${hasChoice ? 'choice' : ''}">
        ${isReady ? nothing : renderSkeleton(messages, on?.focusPayment)}
        <div class="payment-fields ${isReady ? '' : 'waiting'}">
          <slot name=${slot}></slot>
        </div>
        ${paymentNote}
      </div>`
    }
  </fieldset>`;
}

/** A placeholder with the size of Stripe's card fields. */
const renderSkeleton = (messages: DonateMessages, onPress?: () => void) =>
  html`<div class="card-skeleton" aria-hidden="true" @pointerdown=${onPress}>
    <span class="skeleton-field wide">${messages.cardNumber}</span>
    <span class="skeleton-field">${messages.cardExpiry}</span>
    <span class="skeleton-field">${messages.cardCode}</span>
  </div>`;
