import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { HEART_ICON } from '@connect-embed/contract/icon';
import { contentHash } from '../lib/content-hash.ts';
import type { Html } from '../lib/html.ts';
import type { OpenApi } from './document.ts';
import { guideContent, GUIDES, type GuideName } from './guides.ts';

const readText = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

export const DOCS_STYLE = readText('page.css');
export const DOCS_STYLE_FILE = `${contentHash(DOCS_STYLE)}.css`;
export const DOCS_SCRIPT = readText('reference.js');
export const DOCS_SCRIPT_FILE = `${contentHash(DOCS_SCRIPT)}.js`;

/**
 * Renders the API reference: an introduction, and the operations, which Swagger UI draws in the browser.
 *
 * @param swaggerUi path of the folder with Swagger UI; undefined if it is not installed
 */
export const docsPage = (api: OpenApi, baseUrl: string, swaggerUi: string | undefined): Html =>
  docsShell(
    api,
    api.info.title,
    html`<section class="text" aria-label="Introduction">
        ${guideContent('README', baseUrl)}
        <h2>Operations</h2>
        <p>
          ${
            swaggerUi
              ? html`<noscript>This list needs JavaScript.</noscript>`
              : 'The list of operations is not installed here.'
          }
          Programs read the <a href="/api/v1/openapi.json">OpenAPI document</a>.
        </p>
      </section>
      <div id="swagger-ui"></div>`,
    swaggerUi
      ? html`<link rel="stylesheet" href="${swaggerUi}/swagger-ui.css" />
          <script defer src="${swaggerUi}/swagger-ui-bundle.js"></script>
          <script type="module" src="/docs/${DOCS_SCRIPT_FILE}"></script>`
      : html``,
  );

export const guidePage = (api: OpenApi, baseUrl: string, name: GuideName): Html =>
  docsShell(api, GUIDES[name], html`<main class="text">${guideContent(name, baseUrl)}</main>`);

/**
 * Renders a page with the contents of the documentation beside it.
 *
 * @param head style sheets that come before ours, and scripts
 */
export const docsShell = (api: OpenApi, title: string, content: Html, head = html``): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}${title === api.info.title ? '' : ` · ${api.info.title}`}</title>
        <link rel="icon" href="${HEART_ICON}" />
        ${head}
        <link rel="stylesheet" href="/docs/${DOCS_STYLE_FILE}" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <a class="title" href="/docs">${api.info.title}</a>
          <button type="button" popovertarget="contents">Contents</button>
        </header>
        <nav id="contents" aria-label="Contents" popover>
          <input
            type="search"
            aria-label="Search operations"
            placeholder="Search operations"
            hidden
          />
          <ul>
            ${guideLinks(title)}
            <li><a href="/api/v1/openapi.json" download>OpenAPI document</a></li>
          </ul>
          ${api.tags.map((tag) => operationLinks(api, tag.name))}
        </nav>
        <div id="content">${content}</div>
      </body>
    </html>`;

const guideLinks = (current: string) =>
  [
    ...Object.entries(GUIDES).map(([name, title]) => [`guides/${name}`, title] as const),
    ['errors', 'Error codes'] as const,
  ].map(
    ([path, title]) =>
      html`<li>
        <a href="/docs/${path}" ${title === current ? html`aria-current="page"` : ''}>${title}</a>
      </li>`,
  );

/** Renders links to the operations of a tag. Swagger UI opens the operation that the fragment names. */
const operationLinks = ({ paths }: OpenApi, tag: string): Html => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, { operationId, summary }]) => ({ path, method, operationId, summary })),
  );
  return html`<h2>${tag}</h2>
    <ul>
      ${operations.map(
        ({ path, method, operationId, summary }) =>
          html`<li data-path="${path}">
            <a href="/docs#/${tag}/${operationId}"
              ><span class="method">${method}</span> ${summary}</a
            >
          </li>`,
      )}
    </ul>`;
};
