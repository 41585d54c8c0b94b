import { readFileSync } from 'node:fs';
import { initialOf } from '@connect-embed/contract/initial';
import { html } from 'hono/html';
import type { Translator } from '@connect-embed/locales';
import { HOSTED_STYLE_FILE } from '../hosted-form/assets.ts';
import { ICON, STYLE_PATH } from '@connect-embed/api/http/page-shell';
import { contentHash } from '@connect-embed/api/lib/content-hash';
import type { Html } from '@connect-embed/api/lib/html';

export const SUBSCRIPTION_STYLE = readFileSync(new URL('plan.css', import.meta.url), 'utf8');
export const CARD_SCRIPT = readFileSync(new URL('card.js', import.meta.url), 'utf8');
export const SUBSCRIPTION_STYLE_FILE = `${contentHash(SUBSCRIPTION_STYLE)}.css`;
export const CARD_SCRIPT_FILE = `${contentHash(CARD_SCRIPT)}.js`;

interface PageOptions {
  /** Public base URL of this service. */
  base: string;
  translator: Pick<Translator, 'language' | 'direction'>;
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
  return html`<!doctype html>
    <html lang="${translator.language}" dir="${translator.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${base}${STYLE_PATH}" />
        <link rel="stylesheet" href="${base}/embed/${HOSTED_STYLE_FILE}" />
        <link rel="stylesheet" href="${base}/plans/${SUBSCRIPTION_STYLE_FILE}" />
        ${usesCardScript ? html`<script type="module" src="${base}/plans/${CARD_SCRIPT_FILE}"></script>` : ''}
      </head>
      <body class="hosted">
        ${organization ? header(organization) : ''}
        <main class="donation-column note plan">${content}</main>
      </body>
    </html>`;
};

const header = (organization: string) =>
  html`<header class="donation-column">
    <span class="initial" aria-hidden="true">${initialOf(organization)}</span>
    <p>
      <strong>${organization}</strong>
    </p>
  </header>`;
