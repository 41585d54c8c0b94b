import { html, nothing } from 'lit';
import { formatPlural } from '@connect-embed/contract/format-plural';
import type { Language } from '../shared/language.ts';
import type { FormMessages } from '../shared/message-types.ts';
import type { Field, Problems } from './donation-draft.ts';

/**
 * Renders a message that takes the focus, so that it is visible and read out.
 *
 * @param labelId id of the element in it that names it; by default all of its text
 */
const renderFocused = (content: unknown, className: string, labelId = 'banner') =>
  html`<div
    class=${className}
    id="banner"
    role="group"
    aria-labelledby=${labelId}
    tabindex="-1"
    part="message"
  >
    ${content}
  </div>`;

export const renderErrorBanner = (content: unknown, labelId?: string) =>
  renderFocused(content, 'banner error', labelId);

export const renderFocusedInfo = (text: string) => renderFocused(text, 'banner');

/**
 * Renders an information message that does not take the focus. It is hidden from screen readers, which get
 * the same text from the form's status element (`announcement`).
 */
export const renderInfoBanner = (text: string, wait?: string) =>
  html`<div class="banner" id="banner" part="message">
    <span aria-hidden="true">${text} ${wait ?? nothing}</span>
  </div>`;

/** Renders what to do if another tab does not finish its payment, and a button that stops waiting for it. */
export const renderLongWait = (messages: FormMessages, onStop: () => void) =>
  renderFocused(
    html`<p id="banner-text">${messages.stillElsewhere}</p>
      <button type="button" class="secondary" @click=${onStop}>${messages.stopWaiting}</button>`,
    'banner',
    'banner-text',
  );

/**
 * Renders the error summary, which takes the focus. Each line is a link to its field.
 *
 * The links have click handlers, because a URL fragment does not find elements inside a shadow
 * root.
 */
export const renderProblemSummary = (
  problems: Problems,
  { messages, code }: Language<FormMessages>,
  onFocusField: (field: Field) => void,
) => {
  const all = Object.entries(problems) as [Field, string][];
  return renderErrorBanner(
    html`<strong id="problems-title">${formatPlural(messages.problems, all.length, code)}</strong>
      <ul>
        ${all.map(
          ([field, text]) =>
            html`<li>
              <a
                href=${`#${field}`}
                @click=${(event: Event) => (event.preventDefault(), onFocusField(field))}
                >${text}</a
              >
            </li>`,
        )}
      </ul>`,
    'problems-title',
  );
};

/** Renders the status text below the payment fields; `isBusy` while they are loading. */
export const renderPaymentFieldsNote = (text: string, isBusy: boolean) =>
  html`<p class="note">${isBusy ? html`<i class="spinner"></i>` : nothing}<span>${text}</span></p>`;

/** Renders the note in place of the payment fields while the page is being edited. */
export const renderEditorNote = ({ cardInEditor }: FormMessages) =>
  html`<p class="hint">${cardInEditor}</p>`;

/**
 * Renders the error if the payment fields cannot be loaded: a retry button and a link to the hosted
 * donation page.
 */
export const renderPaymentFieldsError = (
  messages: FormMessages,
  hostedUrl: string | undefined,
  onRetry: () => void,
) =>
  html`<div class="payment-error" role="alert" aria-labelledby="payment-error-title" tabindex="-1">
    <strong id="payment-error-title">${messages.cardBlocked}</strong>
    <p>${messages.cardBlockedHint}</p>
    <p class="actions">
      <button type="button" class="secondary" @click=${onRetry}>${messages.retry}</button>
      ${hostedUrl && html`<a href=${hostedUrl} target="_blank" rel="noopener">${messages.hostedPage}</a>`}
    </p>
  </div>`;
