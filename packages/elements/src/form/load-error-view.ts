import { html } from '../shared/html.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import { adoptFlowStyles } from './donation-flow.styles.ts';
import type { FormHost } from './form-context.ts';
import { messagesOf } from './form-messages.ts';
import type { Failure } from './retry-policy.ts';

/** Returns the view of a form that could not be loaded, which says why. */
export function createLoadErrorView(host: FormHost, error: unknown) {
  adoptFlowStyles(host);
  return (error as Failure).code === 'form_closed' ? renderFormClosed : renderLoadError;
}

/**
 * Renders an error with a retry button, and the element's fallback content. The technical reason is in
 * the console.
 */
const renderLoadError = (messages: DonateMessages, onRetry: () => void) => html`
  <div class="message" role="alert">
    <h2 id="title">${navigator.onLine ? messages.loadFailed : messages.offline}</h2>
    <p>${navigator.onLine ? messages.loadFailedHint : messagesOf({ messages }).offlineHint}</p>
    <button type="button" class="secondary" @click=${onRetry}>${messages.retry}</button>
    <slot></slot>
  </div>
`;

/** Renders what donors read instead of a closed form, with the element's fallback content. */
const renderFormClosed = (messages: DonateMessages) => html`
  <div class="message" role="status">
    <h2 id="title">${messagesOf({ messages }).formClosed}</h2>
    <slot></slot>
  </div>
`;
