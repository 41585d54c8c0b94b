import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { page, type Html } from '../pages/layout.ts';
import type { JsonSchema } from './schemas.ts';
import type { DescribedOperation, OpenApi } from './document.ts';
import { describeSchema } from './describe-schema.ts';

export const DOCS_STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const HASH = createHash('sha256').update(DOCS_STYLE).digest('base64url').slice(0, 12);
/** The name contains a hash of the content, so that browsers may cache the file for ever. */
export const DOCS_STYLE_FILE = `${HASH}.css`;

/** Renders the OpenAPI document as one HTML page without scripts. */
export const docsPage = (api: OpenApi): Html =>
  page(
    'API reference',
    html`<link rel="stylesheet" href="/docs/${DOCS_STYLE_FILE}" />
      <main class="docs">
        <header class="about">
          <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
          <h1>${api.info.title}</h1>
          ${paragraphs(api.info.description)}
          <p>
            Base URL <code>${api.servers[0]?.url}</code>. Machine-readable:
            <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
          </p>
        </header>
        <nav aria-label="Contents">
          <ul>
            ${api.tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
            <li><a href="#Resources">Resources</a></li>
          </ul>
        </nav>
        ${api.tags.map((tag) => section(tag, api))}
        <section id="Resources">
          <h2>Resources</h2>
          ${Object.entries(api.components.schemas).map(resource)}
        </section>
      </main>`,
  );

const section = ({ name, description }: { name: string; description: string }, api: OpenApi) =>
  html`<section id="${name}">
    <h2>${name}</h2>
    <p class="muted">${description}</p>
    ${Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(name))
        .map(([method, described]) => operation(method, path, described)),
    )}
  </section>`;

const operation = (method: string, path: string, described: DescribedOperation) =>
  html`<details id="${described.operationId}">
    <summary>
      <span class="method">${method.toUpperCase()}</span>
      <span class="path">${path}</span>
      <span class="what"
        >${described.summary}${described['x-additive'] ? ' (not in the specification)' : ''}</span
      >
    </summary>
    <div class="inside">
      ${paragraphs(described.description)}
      ${described.parameters.length ? parameters(described) : ''}
      ${
        described.requestBody
          ? html`<h3>Body</h3>
              ${schemaTable(described.requestBody.content['application/json'].schema)}`
          : ''
      }
      <h3>Responses</h3>
      <p>${responses(described)}</p>
    </div>
  </details>`;

const parameters = (described: DescribedOperation) => html`
  <h3>Parameters</h3>
  ${table(
    ['Name', 'In', 'Type', ''],
    described.parameters.map(({ name, in: where, schema, description }) => [
      html`<code>${name}</code>`,
      html`${where}`,
      describeSchema(schema),
      code(description ?? ''),
    ]),
  )}
`;

const responses = (described: DescribedOperation) =>
  Object.entries(described.responses).map(([status, response], index) => {
    const { content } = response as { content?: Record<string, { schema: JsonSchema }> };
    const schema = content?.['application/json']?.schema;
    return html`${index ? ', ' : ''}<code>${status}</code>${
      schema ? html` ${describeSchema(schema)}` : ''
    }`;
  });

const resource = ([name, schema]: [string, JsonSchema]) =>
  html`<details id="schema-${name}">
    <summary><span class="path">${name}</span></summary>
    <div class="inside">${schemaTable(schema)}</div>
  </details>`;

function schemaTable(schema: JsonSchema): Html {
  if (!schema.properties || Object.keys(schema.properties).length === 0) {
    return html`<p>${schema.$ref ? describeSchema(schema) : 'No fields: empty, or {}.'}</p>`;
  }
  const required = new Set(schema.required ?? []);
  return table(
    ['Field', 'Type', ''],
    Object.entries(schema.properties).map(([name, field]) => [
      html`<code>${name}</code>`,
      describeSchema(field),
      html`${required.has(name) ? '' : 'optional'}`,
    ]),
  );
}

const table = (heads: string[], rows: Html[][]) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${heads.join(' ')}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const paragraphs = (text: string) =>
  text.split('\n\n').map((paragraph) => html`<p>${code(paragraph)}</p>`);

/** Renders text in backticks as `<code>`. */
const code = (text: string) =>
  html`${text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
