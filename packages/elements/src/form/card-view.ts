import { html, nothing } from '../shared/html.ts';
import type { FormView } from './form-context.ts';
import type { DonateMessages } from '../shared/message-types.ts';

/** Renders the slot of the card fields, and a placeholder until they are loaded. */
export function renderCard({ draft, viewState, slot, on }: FormView) {
  const { messages } = draft;
  const isReady = viewState?.card === 'ready';
  return html`<fieldset class="card" aria-busy=${viewState?.card === 'loading' || nothing}>
    <legend>${messages.card}</legend>
    ${
      viewState?.cardError ??
      html`<div class="card-area">
        ${isReady ? nothing : renderSkeleton(messages, on?.focusCard)}
        <div class=${isReady ? 'card-fields' : 'card-fields waiting'}>
          <slot name=${slot ?? 'none'}></slot>
        </div>
        ${viewState?.cardNote}
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
