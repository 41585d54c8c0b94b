import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import type { Translator } from '@connect-embed/locales';
import { STYLE_PATH } from '@connect-embed/api/http/page-shell';
import { STYLE_FILE } from '../hosted-form/assets.ts';
import { brand, shell, type Html } from '../page/shell.ts';
import { contentHash } from '@connect-embed/api/lib/content-hash';

export const SUBSCRIPTION_STYLE = readFileSync(new URL('plan.css', import.meta.url), 'utf8');
export const CARD_SCRIPT = readFileSync(new URL('card.js', import.meta.url), 'utf8');
export const SUBSCRIPTION_STYLE_FILE = `${contentHash(SUBSCRIPTION_STYLE)}.css`;
export const CARD_SCRIPT_FILE = `${contentHash(CARD_SCRIPT)}.js`;

interface PageOptions {
  /** Public base URL of this service. */
  base: string;
  translator: Pick<Translator, 'locale' | 'direction'>;
  title: string;
  /** The organization's name; absent if the page must not reveal the organization. */
  organization?: string;
  usesCardScript?: boolean;
}

/**
 * Renders a page for the subscriptions of donors, with the organization's name above the content.
 */
export const pageLayout = (options: PageOptions, content: Html): Html => {
  const { base, translator, title, organization, usesCardScript } = options;
  return shell(
    {
      translator,
      title,
      theme: 'auto',
      layout: 'narrow',
      head: html`<meta name="referrer" content="no-referrer" />
        <link rel="stylesheet" href="${base}${STYLE_PATH}" />
        <link rel="stylesheet" href="${base}/embed/${STYLE_FILE}" />
        <link rel="stylesheet" href="${base}/plans/${SUBSCRIPTION_STYLE_FILE}" />
        ${usesCardScript ? html`<script type="module" src="${base}/plans/${CARD_SCRIPT_FILE}"></script>` : ''}`,
    },
    html`<header>${organization ? html`<p class="brand">${brand(organization)}</p>` : ''}</header>
      <main><div class="note plan">${content}</div></main>`,
  );
};
