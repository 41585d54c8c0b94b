import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { ICON } from '../http/page-shell.ts';
import { contentHash } from '../lib/content-hash.ts';
import type { Html } from '../lib/html.ts';
import type { OpenApi } from './document.ts';

const readText = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

export const DOCS_STYLE = readText('page.css');
export const DOCS_STYLE_FILE = `${contentHash(DOCS_STYLE)}.css`;
export const DOCS_SCRIPT = readText('reference.js');
export const DOCS_SCRIPT_FILE = `${contentHash(DOCS_SCRIPT)}.js`;

/**
 * Renders the page of the API reference, whose content Scalar draws in the browser.
 *
 * @param scalar URL of Scalar's module; undefined if Scalar is not installed
 */
export const docsPage = ({ info }: OpenApi, scalar: string | undefined): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/docs/${DOCS_STYLE_FILE}" />
        ${
          scalar
            ? html`<link rel="modulepreload" href="${scalar}" />
                <script type="module" src="/docs/${DOCS_SCRIPT_FILE}"></script>`
            : ''
        }
      </head>
      <body>
        <main id="reference" data-scalar="${scalar ?? ''}">
          ${fallbackContent(info.title, scalar)}
        </main>
      </body>
    </html>`;

/** Renders the content that is shown while the reference loads, or if it cannot be drawn. */
const fallbackContent = (title: string, scalar: string | undefined): Html =>
  html`<div class="plain">
    <h1>${title}</h1>
    ${
      scalar
        ? html`<noscript><p>The reference needs JavaScript.</p></noscript>`
        : html`<p>The reference is not installed here.</p>`
    }
    <p>
      Without it: <a href="/docs/errors">error codes</a>, and the
      <a href="/api/v1/openapi.json">OpenAPI document</a> for programs.
    </p>
  </div>`;
