import { html, nothing } from 'lit';
import { renderErrorBanner } from './form-view.ts';
import type { Field, DonationDraft, Problems } from './donation-draft.ts';
import type { FormTexts } from './messages/form-texts.ts';
import { textsOf } from './messages/donation-flow.ts';
import { formatPlural } from './plural.ts';

/**
 * Something to know that is no fault: it does not take the focus. A screen reader gets it from the
 * form's status (`spoken`) alone, and not a second time from here.
 */
export const renderInfoBanner = (text: string, wait?: string) =>
  html`<div class="notice" id="notice" tabindex="-1" part="notice">
    <span aria-hidden="true">${text} ${wait ?? nothing}</span>
  </div>`;

/** Something to know that takes the focus, so that a screen reader reads it there. */
export const renderFocusedInfo = (text: string) =>
  html`<div class="notice" id="notice" tabindex="-1" part="notice">${text}</div>`;

/**
 * All that must be mended, in one place that takes the focus; each line leads to its field.
 *
 * The links act themselves: an address with `#` does not reach into a shadow root.
 */
export const renderProblemSummary = (
  problems: Problems,
  draft: DonationDraft,
  onFocusField: (field: Field) => void,
) => {
  const all = Object.entries(problems) as [Field, string][];
  return renderErrorBanner(
    html`<strong
        >${formatPlural(textsOf(draft).problems, all.length, draft.formLanguage.words)}</strong
      >
      <ul>
        ${all.map(
          ([field, text]) =>
            html`<li>
              <a
                href="#${field}"
                @click=${(event: Event) => (event.preventDefault(), onFocusField(field))}
                >${text}</a
              >
            </li>`,
        )}
      </ul>`,
  );
};

/** What the card form's outline stands for, while the fields are loading. */
export const renderCardNote = (text: string) =>
  html`<p class="note"><i class="spinner"></i><span>${text}</span></p>`;

/** The processor's fields cannot be had: try again, or give where they can. */
export const renderCardError = (texts: FormTexts, hostedUrl: string, onRetry: () => void) =>
  html`<div class="blocked" role="alert" tabindex="-1">
    <strong>${texts.cardBlocked}</strong>
    <p>${texts.cardBlockedHint}</p>
    <p class="actions">
      <button type="button" class="quiet" @click=${onRetry}>${texts.retry}</button>
      <a href=${hostedUrl} target="_blank" rel="noopener">${texts.hostedPage}</a>
    </p>
  </div>`;

/** A honeypot: people never see it and cannot reach it; a program that fills in every field fills in this one. */
export const honeypot = html`<input
  class="hidden"
  name="website"
  tabindex="-1"
  autocomplete="off"
  aria-hidden="true"
/>`;
