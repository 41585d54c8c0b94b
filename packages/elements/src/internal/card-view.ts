import { html, nothing } from 'lit';
import type { FormView } from './donate-view.ts';
import type { DonateTexts } from './messages/form-texts.ts';

/** The place of the processor's fields; until the donor acts, their outline. */
export function renderCard({ draft, face, slot, on }: FormView) {
  const { texts } = draft;
  const drawn = face?.card === 'ready';
  return html`<fieldset class="card" aria-busy=${face?.card === 'loading' || nothing}>
    <legend>${texts.card}</legend>
    ${
      face?.blocked ??
      html`<div class="stage">
        ${drawn ? nothing : renderOutline(texts, on?.pressCard)}
        <div class=${drawn ? 'place' : 'place waiting'}><slot name=${slot ?? 'none'}></slot></div>
        ${face?.cardNote}
      </div>`
    }
  </fieldset>`;
}

/** Stands where the processor's fields will, at their size. */
const renderOutline = (texts: DonateTexts, onPress?: () => void) =>
  html`<div class="outline" aria-hidden="true" @pointerdown=${onPress}>
    <span class="line long">${texts.cardNumber}</span>
    <span class="line">${texts.cardExpiry}</span>
    <span class="line">${texts.cardCode}</span>
  </div>`;
