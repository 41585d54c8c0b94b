import { html, nothing } from 'lit';
import type { DonateMessages } from '../shared/message-types.ts';
import type { DonationDraft } from './donation-draft.ts';
import type { FormView } from './form-context.ts';

/** Whether Stripe shows only card fields for a payment method. Link fills them in. */
export const isCard = (type: string) => type === 'card' || type === 'link';

/** Whether the form offers other payment methods than cards. */
const hasChoice = ({ form }: DonationDraft) => !(form.payment_method_types ?? []).every(isCard);

/**
 * Renders the slot of the wallet buttons. Its space is kept from the first drawing on, so that nothing moves when the
 * buttons appear; nothing is rendered once it is known that the browser has no wallet.
 */
export const renderWallet = ({ draft, viewState, slot }: FormView) =>
  viewState.wallet === 'none' || viewState.paymentError
    ? nothing
    : html`<div class="wallet ${viewState.wallet}">
          <slot name=${`${slot}-wallet`}></slot>
        </div>
        <p class="or" aria-hidden=${viewState.wallet === 'ready' ? nothing : 'true'}>
          ${hasChoice(draft) ? draft.messages.orOtherwise : draft.messages.orByCard}
        </p>`;

/** Renders the slot of the payment fields, and a placeholder until they are loaded. */
export function renderPaymentFields({ draft, viewState, slot, on }: FormView) {
  const { messages } = draft;
  const { paymentFields, paymentError, paymentNote } = viewState;
  const isReady = paymentFields === 'ready';
  return html`<fieldset class="payment" aria-busy=${paymentFields === 'loading' || nothing}>
    <legend>${hasChoice(draft) ? messages.payment : messages.card}</legend>
    ${
      paymentError ??
      html`<div class="payment-area ${hasChoice(draft) ? 'choice' : ''}">
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
