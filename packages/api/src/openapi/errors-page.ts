import { ERROR_CODES, ERROR_STATUS, type ErrorType } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '../lib/html.ts';
import type { OpenApi } from './document.ts';
import { docsShell } from './page.ts';

/**
 * Renders the page of `error.doc_url`: every error code below its type, with the code as the anchor. The
 * page needs no scripts, because people open it from a log or a terminal.
 */
export const errorsPage = (api: OpenApi): Html =>
  docsShell(
    api,
    'Error codes',
    html`<main class="text">
      <h1>Error codes</h1>
      <p>
        What each <code>error.code</code> means, and what to do. Handle errors by their
        <code>type</code>, and by the <code>code</code> where it matters;
        <a href="/docs/guides/errors">the guide</a> says when to retry.
      </p>
      ${Object.entries(ERROR_CODES).map(([type, codes]) => section(type as ErrorType, codes))}
    </main>`,
  );

const section = (type: ErrorType, codes: Readonly<Record<string, string>>) =>
  html`<section>
    <h2>${ERROR_STATUS[type]} <code>${type}</code></h2>
    <dl>
      ${Object.entries(codes).map(
        ([code, description]) =>
          html`<div id="${code}">
            <dt><code>${code}</code></dt>
            <dd>${markCode(description)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;

/** Renders text in backticks as `<code>`. */
const markCode = (text: string) =>
  html`${text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
