import { html, nothing, render, type TemplateResult } from 'lit';
import { tableTexts as texts, type Badge } from './messages/tables.ts';
import type { Pages } from './pages.ts';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => unknown;
  /** Names the row: read out before its other cells. */
  names?: boolean;
  /** Digits in a column, at the far edge. */
  number?: boolean;
  /** Share of the table's width; an even one when absent. */
  width?: 'slim' | 'wide';
}

export interface TableView<Row extends { id: string }> {
  title: string;
  columns: readonly Column<Row>[];
  pages: Pages<Row>;
  language: string;
}

/**
 * A native table with its faces. Roles are written out: a narrow table is laid out as cards, and
 * with the layout a browser would drop what the tags mean.
 */
export function renderTable<Row extends { id: string }>(view: TableView<Row>): TemplateResult {
  const { title, pages } = view;
  const { status, rows, stale } = pages;
  const shown = status === 'loading' || (status === 'ready' && rows.length > 0);
  return html`<section class="frame" part="frame" aria-busy=${status === 'loading'}>
    ${shown ? renderRows(view) : renderFace(view)} ${shown ? renderMore(view) : nothing}
    <p class=${stale ? 'stale' : 'hidden'} role="status">${spoken(title, pages)}</p>
  </section>`;
}

function renderRows<Row extends { id: string }>({ title, columns, pages }: TableView<Row>) {
  const loading = pages.status === 'loading';
  return html`<table role="table" part="table">
    <caption>
      ${title}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          ({ label, number, width = '' }) =>
            html`<th role="columnheader" scope="col" class="${number ? 'number' : ''} ${width}">
              ${label}
            </th>`,
        )}
      </tr>
    </thead>
    ${
      loading
        ? html`<tbody role="rowgroup" class="blank" aria-hidden="true">
            ${Array.from({ length: pages.limit }, () => renderBlank(columns))}
          </tbody>`
        : html`<tbody role="rowgroup" class="rows"></tbody>`
    }
  </table>`;
}

/**
 * Brings the rows to their places, after every render of the table.
 *
 * A row keeps its node when others come above it: a reader's place, a selection and the focus stay.
 */
export function placeRows<Row extends { id: string }>(
  root: ParentNode,
  { columns, pages }: TableView<Row>,
) {
  const body = root.querySelector('.rows');
  if (!body) return;
  const nodes = new Map([...body.children].map((node) => [node.getAttribute('data-id'), node]));
  let next = body.firstElementChild;
  for (const row of pages.rows) {
    const node = nodes.get(row.id) ?? newRow(row.id, pages.fresh.has(row.id));
    nodes.delete(row.id);
    render(renderCells(columns, row), node as HTMLElement);
    if (node === next) next = node.nextElementSibling;
    else body.insertBefore(node, next);
  }
  for (const node of nodes.values()) node.remove();
}

function newRow(id: string, fresh: boolean) {
  const node = document.createElement('tr');
  node.setAttribute('role', 'row');
  node.dataset['id'] = id;
  if (fresh) node.className = 'fresh';
  return node;
}

const renderCells = <Row>(columns: readonly Column<Row>[], row: Row) =>
  columns.map(({ label, cell, names, number }) => {
    const kind = number ? 'number' : '';
    return names
      ? html`<th role="rowheader" scope="row" data-label=${label} class=${kind}>${cell(row)}</th>`
      : html`<td role="cell" data-label=${label} class=${kind}>${cell(row)}</td>`;
  });

/** As high as a row, so that nothing moves when the rows come. */
const renderBlank = <Row>(columns: readonly Column<Row>[]) =>
  html`<tr role="row">
    ${columns.map(
      ({ label, number }) =>
        html`<td role="cell" data-label=${label} class=${number ? 'number' : ''}><i></i></td>`,
    )}
  </tr>`;

/** The button keeps its place, and with it the focus, also when all has been shown. */
function renderMore<Row extends { id: string }>({ pages, language }: TableView<Row>) {
  const { hasMore, reading, rows, status } = pages;
  const count = new Intl.NumberFormat(language).format(rows.length);
  const label = reading ? texts.loadingMore : hasMore ? texts.more : texts.all(count);
  const idle = status === 'loading' || !hasMore || reading;
  return html`<p class="more">
    <button
      type="button"
      class=${hasMore || status === 'loading' ? 'quiet' : 'done'}
      part="more"
      aria-disabled=${idle ? 'true' : nothing}
      @click=${() => pages.more()}
    >
      ${status === 'loading' ? texts.more : label}
    </button>
  </p>`;
}

function renderFace<Row extends { id: string }>({ title, pages }: TableView<Row>) {
  const { status } = pages;
  if (status === 'ready') {
    return html`<div class="message">
      <h2 class="title">${title}</h2>
      <slot name="empty"><p>${texts.empty(title)}</p></slot>
    </div>`;
  }
  const face = status === 'loading' ? 'failed' : status;
  return html`<div class="message" role="alert">
    <h2 class="title">${title}</h2>
    <p><strong>${texts[face]}</strong></p>
    <p>${texts[`${face}Hint`]}</p>
    <button type="button" class="quiet" @click=${() => pages.first()}>${texts.retry}</button>
  </div>`;
}

function spoken<Row extends { id: string }>(title: string, pages: Pages<Row>): string {
  if (pages.status === 'loading') return texts.loading(title);
  if (pages.stale) return texts.paused;
  return pages.added ? texts.added(pages.added, title) : '';
}

/** A status: its text, and a color that only repeats it. */
export const renderBadge = ({ text, tone }: Badge) =>
  html`<bdi class="badge ${tone}">${text}</bdi>`;

/** Names may run the other way than the page: they keep to themselves. */
export const renderName = (name: string | null) =>
  name ? html`<bdi>${name}</bdi>` : html`<span class="muted">${texts.anonymous}</span>`;
