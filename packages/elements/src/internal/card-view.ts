import { html, nothing } from 'lit';
import type { FormView } from './form-view.ts';
import type { DonateMessages } from './message-types.ts';

/** Renders the slot of the card fields, and a placeholder until they are loaded. */
export function renderCard({ draft, viewState, slot, on }: FormView) {
  const { texts } = draft;
  const isReady = viewState?.card === 'ready';
  return html`<fieldset class="card" aria-busy=${viewState?.card === 'loading' || nothing}>
    <legend>${texts.card}</legend>
    ${
      viewState?.cardError ??
      html`<div class="card-area">
        ${isReady ? nothing : renderSkeleton(texts, on?.focusCard)}
        <div class=${isReady ? 'card-fields' : 'card-fields waiting'}>
          <slot name=${slot ?? 'none'}></slot>
        </div>
        ${viewState?.cardNote}
      </div>`
    }
  </fieldset>`;
}

/** A placeholder with the size of Stripe's card fields. */
const renderSkeleton = (texts: DonateMessages, onPress?: () => void) =>
  html`<div class="card-skeleton" aria-hidden="true" @pointerdown=${onPress}>
    <span class="skeleton-field wide">${texts.cardNumber}</span>
    <span class="skeleton-field">${texts.cardExpiry}</span>
    <span class="skeleton-field">${texts.cardCode}</span>
  </div>`;
