import { html } from 'lit';
import { ConnectError } from '@connect-embed/contract/error';
import type { DonateMessages } from '../shared/message-types.ts';

/**
 * Renders why there is no form, with the element's fallback content. The technical reason is in the
 * console.
 */
export function renderLoadError(error: unknown, messages: DonateMessages, onRetry: () => void) {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === 'form_closed') return renderFinalError(messages.formClosed);
  if (code === 'page_expired') return renderFinalError(messages.pageExpired);
  return html`
    <div class="message" role="alert">
      <h2 id="title">${navigator.onLine ? messages.loadFailed : messages.offline}</h2>
      <p>${navigator.onLine ? messages.loadFailedHint : messages.offlineHint}</p>
      <button type="button" class="secondary" @click=${onRetry}>${messages.retry}</button>
      <slot></slot>
    </div>
  `;
}

/** Renders a reason that a retry cannot change. */
const renderFinalError = (text: string) => html`
  <div class="message" role="status">
    <h2 id="title">${text}</h2>
    <slot></slot>
  </div>
`;
