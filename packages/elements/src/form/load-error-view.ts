import { html } from '../shared/html.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import { adoptFlowStyles } from './donation-flow.styles.ts';
import type { CreateLoadErrorView } from './form-context.ts';
import { messagesOf } from './form-messages.ts';
import type { Failure } from './retry-policy.ts';

/** Returns the view of a form that could not be loaded, which says why. */
export const createLoadErrorView: CreateLoadErrorView = (host, error) => {
  adoptFlowStyles(host);
  const { code } = error as Failure;
  if (code === 'form_closed') return renderFinal('formClosed');
  return code === 'page_expired' ? renderFinal('pageExpired') : renderLoadError;
};

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

/** Renders why there is no form, which a retry cannot change, with the element's fallback content. */
const renderFinal = (reason: 'formClosed' | 'pageExpired') => (messages: DonateMessages) => html`
  <div class="message" role="status">
    <h2 id="title">${messagesOf({ messages })[reason]}</h2>
    <slot></slot>
  </div>
`;
