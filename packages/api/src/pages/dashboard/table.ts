import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** A column of a table: its head, and what a row shows in it. */
export interface Column<Row> {
  head: string;
  cell: (row: Row) => Html | string | number | null;
  /** `row` names the row; `number` is set to the end; `quiet` has a head for listeners only. */
  as?: 'row' | 'number' | 'quiet';
}

/**
 * A table that scrolls by itself where it is too wide, also by keyboard; on a narrow screen a row is
 * a card. Roles are said aloud because some browsers forget them when CSS rearranges a table.
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
    ${as === 'quiet' ? html`<span class="hidden">${head}</span>` : head}
  </th>`;

function cellView<Row>({ head, cell, as }: Column<Row>, row: Row): Html {
  const content = cell(row) ?? html`<span class="quiet">–</span>`;
  if (as === 'row') return html`<th scope="row" role="rowheader">${content}</th>`;
  // On a narrow screen the head stands beside each cell, for eyes only: listeners know the column.
  const label = as === 'quiet' ? '' : head;
  return html`<td role="cell" class="${as ?? ''}" data-head="${label}">${content}</td>`;
}

/** Where the next page of a list is; the first page has no cursor. */
export const pager = (
  path: string,
  {
    cursor,
    next,
    filters = {},
  }: {
    cursor?: string | undefined;
    next: string | null;
    filters?: Record<string, string>;
  },
): Html => {
  if (!cursor && !next) return html``;
  const at = (query: Record<string, string>) => {
    const text = new URLSearchParams({ ...filters, ...query }).toString();
    return text ? `${path}?${text}` : path;
  };
  return html`<p class="pager">
    ${cursor ? html`<a class="button second" href="${at({})}">Newest</a>` : ''}
    ${next ? html`<a class="button second" href="${at({ cursor: next })}" rel="next">Older</a>` : ''}
  </p>`;
};

/** Names and values, one under the other. */
export const facts = (list: readonly (readonly [string, Html | string | number | null])[]) =>
  html`<dl class="facts">
    ${list.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value ?? html`<span class="quiet">–</span>`}</dd>
        </div>`,
    )}
  </dl>`;

export type Tone = 'good' | 'bad' | 'wait' | 'still';

/** A status in a word, with a color that says the same. */
export const badge = (text: string, tone: Tone) => html`<span class="badge ${tone}">${text}</span>`;

/** Nothing here yet, and what would bring something. */
export const empty = (text: string) => html`<p class="empty quiet">${text}</p>`;
