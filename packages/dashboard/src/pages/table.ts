import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';

/** A table column with its heading and the function that returns its cell for a row. */
export interface Column<Row> {
  head: string;
  cell: (row: Row) => Html | string | number | null;
  /**
   * `rowHeader` is a row heading, `number` is right-aligned, `clipped` cuts a long text, and the heading of
   * `muted` is visible only to screen readers.
   */
  as?: 'rowHeader' | 'number' | 'clipped' | 'muted';
}

/**
 * Renders an HTML table that scrolls horizontally if it is too wide, also by keyboard. On a narrow
 * screen each row becomes a card. ARIA roles are explicit, because some browsers drop them when CSS
 * changes `display`.
 */
export const table = <Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table class="stacked" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(headView)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map((column) => cellView(column, row))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const headView = <Row>({ head, as }: Column<Row>) =>
  html`<th scope="col" role="columnheader" class="${as === 'number' ? 'number' : ''}">
    ${as === 'muted' ? html`<span class="hidden">${head}</span>` : head}
  </th>`;

function cellView<Row>({ head, cell, as }: Column<Row>, row: Row): Html {
  const content = cell(row) ?? html`<span class="muted">–</span>`;
  if (as === 'rowHeader') return html`<th scope="row" role="rowheader">${content}</th>`;
  // On a narrow screen CSS shows the heading beside each cell. Screen readers announce the column
  // of a cell themselves.
  const label = as === 'muted' ? '' : head;
  return html`<td role="cell" class="${as ?? ''}" data-head="${label}">${content}</td>`;
}

/** Renders the links to the first page and to the next page, if there are any. */
export const pager = (
  path: string,
  page: { cursor: string | undefined; next: string | null; filters: Record<string, string> },
): Html => {
  const { cursor, next, filters } = page;
  if (!cursor && !next) return html``;
  const pageUrl = (query: Record<string, string>) => {
    const text = new URLSearchParams({ ...filters, ...query }).toString();
    return text ? `${path}?${text}` : path;
  };
  return html`<p class="pager">
    ${cursor ? html`<a class="button secondary" href="${pageUrl({})}">Newest</a>` : ''}
    ${next ? html`<a class="button secondary" href="${pageUrl({ cursor: next })}" rel="next">Older</a>` : ''}
  </p>`;
};

/** Renders a list of names and values. */
export const facts = (list: readonly (readonly [string, Html | string | number | null])[]) =>
  html`<dl class="facts">
    ${list.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value ?? html`<span class="muted">–</span>`}</dd>
        </div>`,
    )}
  </dl>`;

/** A key figure: its name, its value, and further text below it. */
type Figure = readonly [name: string, value: Html | string | null, note?: string];

/** Renders key figures at the top of a page. */
export const figures = (list: readonly Figure[], className = ''): Html =>
  html`<dl class="figures${className && ` ${className}`}">
    ${list.map(
      ([name, value, note]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
          ${note && html`<dd>${note}</dd>`}
        </div>`,
    )}
  </dl>`;

export type Tone = 'positive' | 'negative' | 'pending' | 'neutral';

/** Renders a status label. Its color repeats the meaning of the text. */
export const badge = (text: string, tone: Tone) => html`<span class="badge ${tone}">${text}</span>`;

/** Renders a status label and, for a test, the label that says so. */
export const badgeWithMode = (status: Html, { livemode }: { livemode: boolean }): Html =>
  livemode ? status : html`${status} ${badge('Test', 'neutral')}`;

export const empty = (text: string) => html`<p class="empty muted">${text}</p>`;
