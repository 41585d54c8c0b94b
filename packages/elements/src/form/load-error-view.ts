import { html } from 'lit';
import { ConnectError } from '@connect-embed/contract/error';
import { isOffline } from '../shared/is-offline.ts';
import type { DonateMessages } from '../shared/message-types.ts';

/**
 * Renders why there is no form, with the element's fallback content. The technical reason is in the
 * console.
 */
export function renderLoadError(error: unknown, messages: DonateMessages, onRetry: () => void) {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === 'form_closed') return renderFinalError(messages.formClosed);
  if (code === 'campaign_ended') return renderFinalError(messages.campaignEnded);
  if (isPageExpired(error)) return html`${renderPageExpired(messages)}<slot></slot>`;
  const offline = isOffline(error);
  return html`
    <div class="message" role="alert">
      <h2 id="title">${offline ? messages.offline : messages.loadFailed}</h2>
      <p>${offline ? messages.offlineHint : messages.loadFailedHint}</p>
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

/** Whether the page is older than the release or the form of the server. A reload keeps the donor's input. */
export const isPageExpired = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === 'page_expired';

export const renderPageExpired = ({ pageExpired, reload }: DonateMessages) => html`
  <div class="message" id="banner" role="alert" aria-labelledby="banner" tabindex="-1">
    <p>${pageExpired}</p>
    <button type="button" class="secondary" @click=${() => location.reload()}>${reload}</button>
  </div>
`;
