import { ConnectError } from '@connect-embed/contract/error';
import { html } from 'lit';
import type { Pages } from '../internal/pages.ts';
import type { Resource } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

const FACES: Readonly<Record<string, 'expired' | 'denied' | 'busy' | 'missing'>> = {
  unauthorized: 'expired',
  forbidden: 'denied',
  insufficient_scope: 'denied',
  not_found: 'missing',
  rate_limited: 'busy',
};

/** What has a face: a table, or one record. */
interface Faced {
  caption: string;
  pages: Pick<Pages<Resource>, 'status' | 'error' | 'first' | 'session'>;
}

/** What stands in place of rows: that there are none, or why they are not to be seen. */
export function renderFace({ caption, pages }: Faced, empty = texts.empty(caption)) {
  const { status } = pages;
  if (status === 'ready') {
    return html`<div class="message">
      <h2 class="title">${caption}</h2>
      <slot name="empty"><p>${empty}</p></slot>
    </div>`;
  }
  const known = FACES[pages.error instanceof ConnectError ? pages.error.type : ''] ?? 'failed';
  // Masks come with the first session: without one, this viewer has never been signed in here.
  const face = known === 'expired' && !pages.session?.masks ? 'signedOut' : known;
  return html`<div class="message" role="alert">
    <h2 class="title">${caption}</h2>
    <p><strong>${texts[face]}</strong></p>
    <p>${texts[`${face}Hint`]}</p>
    <button type="button" class="quiet" @click=${() => pages.first()}>${texts.retry}</button>
  </div>`;
}
