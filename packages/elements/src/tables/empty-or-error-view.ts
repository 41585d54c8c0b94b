import { html } from 'lit';
import { ConnectError } from '@connect-embed/contract/error';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { PagedList } from './paged-list.ts';
import type { DisplayOptions, Resource } from './column.ts';
import { namePlaceholders } from './format.ts';

const MESSAGE_BY_ERROR: Readonly<Record<string, 'expired' | 'denied' | 'busy' | 'missing'>> = {
  unauthorized: 'expired',
  forbidden: 'denied',
  insufficient_scope: 'denied',
  not_found: 'missing',
  rate_limited: 'busy',
};

/** A table or a details element. */
interface RenderTarget {
  caption: string;
  display: DisplayOptions;
  pages: Pick<PagedList<Resource>, 'status' | 'error' | 'loadFirstPage' | 'session'>;
}

/**
 * Renders the empty state or the error state in place of the rows.
 *
 * @param empty text of the empty state
 */
export function renderEmptyOrError(
  { caption, display, pages }: RenderTarget,
  empty = interpolate(display.messages.empty, namePlaceholders('what', caption)),
) {
  const { messages } = display;
  const { status } = pages;
  if (status === 'ready') {
    return html`<div class="message">
      <h2 class="title">${caption}</h2>
      <slot name="empty"><p>${empty}</p></slot>
    </div>`;
  }
  const known =
    MESSAGE_BY_ERROR[pages.error instanceof ConnectError ? pages.error.type : ''] ?? 'failed';
  // `masks` is set by the first session. Without it the viewer has never been signed in, so the session
  // cannot have expired.
  const messageKey = known === 'expired' && !pages.session?.masks ? 'signedOut' : known;
  return html`<div class="message" role="alert">
    <h2 class="title">${caption}</h2>
    <p><strong>${messages[messageKey]}</strong></p>
    <p>${messages[`${messageKey}Hint`]}</p>
    <button type="button" class="secondary" @click=${() => pages.loadFirstPage()}>
      ${messages.retry}
    </button>
  </div>`;
}
