import { ConnectError } from '@connect-embed/contract/error';
import { html } from 'lit';
import type { PagedList } from '../internal/paged-list.ts';
import type { Resource } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

const MESSAGE_BY_ERROR: Readonly<Record<string, 'expired' | 'denied' | 'busy' | 'missing'>> = {
  unauthorized: 'expired',
  forbidden: 'denied',
  insufficient_scope: 'denied',
  not_found: 'missing',
  rate_limited: 'busy',
};

/** What has a face: a table, or one record. */
interface RenderTarget {
  caption: string;
  pages: Pick<PagedList<Resource>, 'status' | 'error' | 'first' | 'session'>;
}

/** What stands in place of rows: that there are none, or why they are not to be seen. */
export function renderEmptyOrError({ caption, pages }: RenderTarget, empty = texts.empty(caption)) {
  const { status } = pages;
  if (status === 'ready') {
    return html`<div class="message">
      <h2 class="title">${caption}</h2>
      <slot name="empty"><p>${empty}</p></slot>
    </div>`;
  }
  const known =
    MESSAGE_BY_ERROR[pages.error instanceof ConnectError ? pages.error.type : ''] ?? 'failed';
  // Masks come with the first session: without one, this viewer has never been signed in here.
  const messageKey = known === 'expired' && !pages.session?.masks ? 'signedOut' : known;
  return html`<div class="message" role="alert">
    <h2 class="title">${caption}</h2>
    <p><strong>${texts[messageKey]}</strong></p>
    <p>${texts[`${messageKey}Hint`]}</p>
    <button type="button" class="quiet" @click=${() => pages.first()}>${texts.retry}</button>
  </div>`;
}
