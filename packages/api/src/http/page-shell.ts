import { readFileSync } from 'node:fs';
import { HEART_ICON } from '@connect-embed/contract/icon';
import { html } from 'hono/html';
import { contentHash } from '../lib/content-hash.ts';
import type { Html } from '../lib/html.ts';

/** Locale of dates and amounts. These pages are in English only. */
export const LOCALE = 'en-US';

/** Response headers of a text file whose path contains a hash of its content. */
export const immutableFile = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
});

/** The stylesheet of all pages. */
export const STYLE = readFileSync(new URL('page-shell.css', import.meta.url), 'utf8');
export const STYLE_PATH = `/pages/${contentHash(STYLE)}.css`;

/**
 * Renders a complete HTML page. The `html` tag escapes all interpolated values.
 *
 * @param stylePath path of another style sheet
 */
export const page = (title: string, content: Html, stylePath = STYLE_PATH) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Connect</title>
        <link rel="icon" href="${HEART_ICON}" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        ${content}
      </body>
    </html>`;

/** Renders a page with a single centered panel. */
export const cardPage = (title: string, content: Html) =>
  page(
    title,
    html`<main class="card">
      <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
      ${content}
    </main>`,
  );

/** Renders a page with a title, a text and an optional link, for example for an error. */
export const messagePage = (
  title: string,
  text: string | Html,
  link?: { href: string; text: string },
) =>
  cardPage(
    title,
    html`<h1>${title}</h1>
      <p class="muted">${text}</p>
      ${link ? html`<p><a class="button" href="${link.href}">${link.text}</a></p>` : ''}`,
  );
