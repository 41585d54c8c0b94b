import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { ICON } from '../web/layout.ts';
import type { Html } from '../lib/html.ts';
import type { OpenApi } from './document.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
/** The name contains a hash of the content, so that browsers can cache the file indefinitely. */
const hashForFileName = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

export const DOCS_STYLE = read('page.css');
export const DOCS_STYLE_FILE = `${hashForFileName(DOCS_STYLE)}.css`;
export const DOCS_SCRIPT = read('reference.js');
export const DOCS_SCRIPT_FILE = `${hashForFileName(DOCS_SCRIPT)}.js`;

/**
 * The page of the API reference. Scalar draws it in the browser.
 *
 * @param scalar URL of Scalar's module; undefined if it is not installed
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
          ${withoutScripts(info.title, scalar)}
        </main>
      </body>
    </html>`;

/** What is shown while the reference loads, and where it cannot be drawn. */
const withoutScripts = (title: string, scalar: string | undefined): Html =>
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
