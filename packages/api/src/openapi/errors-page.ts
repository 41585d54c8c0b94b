import { ERROR_CODES, ERROR_STATUS, type ErrorType } from '@connect-embed/contract';
import { html } from 'hono/html';
import { page } from '../http/page-shell.ts';
import type { Html } from '../lib/html.ts';
import { DOCS_STYLE_FILE } from './page.ts';

/**
 * Renders the page of `error.doc_url`: every error code below its type, with the code as the anchor. The
 * page needs no scripts, because people open it from a log or a terminal.
 */
export const errorsPage = (): Html =>
  page(
    'Errors',
    html`<link rel="stylesheet" href="/docs/${DOCS_STYLE_FILE}" />
      <main class="plain">
        <h1>Errors of the Connect API</h1>
        <p>
          What each <code>error.code</code> means, and what to do. Handle errors by their
          <code>type</code>, and by the <code>code</code> where it matters;
          <a href="/docs#description/errors">the guide</a> says when to retry.
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
