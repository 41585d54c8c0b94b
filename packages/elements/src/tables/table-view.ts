import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Column, Resource } from './column.ts';
import type { TableElement } from './table-element.ts';

/** At most this many rows or placeholders are rendered before the features are loaded. */
const MAX_FIRST_ROWS = 100;

/**
 * Renders a table in its current state. It is a native table with explicit ARIA roles, because a
 * narrow table is laid out as cards, and browsers drop the tags' implicit roles when the layout
 * changes.
 */
export function renderTable<Row extends Resource>(table: TableElement<Row>) {
  const { pages, features, language } = table;
  const { status, rows } = pages;
  // A list without rows shows its empty state instead of the table, unless the viewer has set
  // filters.
  const isShown =
    status === 'loading' || (status === 'ready' && (rows.length > 0 || !!features?.isFiltered));
  const hasToolbar = isShown && table.tools && features !== null;
  return html`<section
    class=${table.isNarrow ? 'frame cards' : 'frame'}
    part="frame"
    lang=${language.code}
    dir=${language.direction ?? nothing}
    .style=${`--_lines:${table.lineCount}`}
    aria-busy=${status === 'loading'}
    ?inert=${table.isUntranslated || table.hasUnknownMasks}
  >
    ${hasToolbar ? html`<div class="tools" part="toolbar">${features?.renderToolbar()}</div>` : nothing}
    ${isShown ? renderRows(table) : (features?.renderState() ?? renderUnavailable(table))}
    ${isShown ? (features?.renderPaging() ?? renderMoreButton(table, { isDisabled: !pages.hasMore })) : nothing}
    <p class=${pages.isStale ? 'stale' : 'hidden'} role="status">${features?.announcement()}</p>
    ${features?.renderDialogs()}
  </section>`;
}

function renderRows<Row extends Resource>(table: TableElement<Row>) {
  const { caption, features, pages, shownColumns } = table;
  return html`<table role="table" part="table" aria-rowcount=${ifDefined(features?.rowCount)}>
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row" aria-rowindex=${features?.rowCount ? 1 : nothing}>
        ${shownColumns.map((column) => renderHeading(table, column))}
      </tr>
    </thead>
    ${pages.status === 'loading' ? renderPlaceholders(table) : renderVisibleRows(table)}
  </table>`;
}

function renderHeading<Row extends Resource>(table: TableElement<Row>, column: Column<Row>) {
  const { id, label, isNumeric, isNarrow } = column;
  const order = table.features?.sortOrderOf(id);
  const width = table.columnChoice?.widths?.[id];
  return html`<th
    role="columnheader"
    scope="col"
    class="${isNumeric ? 'number' : ''} ${isNarrow ? 'narrow' : ''}"
    aria-sort=${order ?? nothing}
    .style=${width ? `inline-size:${width}px` : ''}
  >
    ${
      table.features?.canSortBy(id) === false
        ? html`<span class="sort">${label}</span>`
        : html`<button class="sort" value=${id} @click=${() => table.sortBy(id)}>${label}</button>`
    }${table.features?.renderHandle(column)}
  </th>`;
}

/** Renders rows without content, as tall as the rows that replace them. */
function renderPlaceholders<Row extends Resource>({ pages, shownColumns }: TableElement<Row>) {
  const cells = shownColumns.map((column) => renderCell(column, html`<i></i>`));
  const rows = Array.from(
    { length: Math.min(pages.limit, MAX_FIRST_ROWS) },
    () =>
      html`<tr role="row">
        ${cells}
      </tr>`,
  );
  // With other columns, placeholders are replaced rather than moved.
  return keyed(
    shownColumns.length,
    html`<tbody role="rowgroup" class="skeleton" inert>
      ${rows}
    </tbody>`,
  );
}

/**
 * Renders the rows of the current page, or those near the viewport. A row is rendered again only if it
 * or something that its cells depend on has changed.
 */
function renderVisibleRows<Row extends Resource>(table: TableElement<Row>) {
  const { features, pages } = table;
  const { rows, firstIndex, spaceAbove, spaceBelow } = features?.visibleRows ?? {
    rows: pages.rows.slice(0, MAX_FIRST_ROWS),
  };
  const renderGuarded = (row: Row, index: number) => {
    // The header is the first row of the table.
    const rowIndex = firstIndex === undefined ? undefined : firstIndex + index + 2;
    return guard([row, rowIndex, pages.addedIds.has(row.id), ...table.cellInputs], () =>
      renderRow(table, row, rowIndex),
    );
  };
  return html`${renderSpacer(spaceAbove)}
    <tbody role="rowgroup" class="rows">
      ${repeat(rows, ({ id }) => id, renderGuarded)}
    </tbody>
    ${renderSpacer(spaceBelow)}`;
}

const renderRow = <Row extends Resource>(
  table: TableElement<Row>,
  row: Row,
  rowIndex: number | undefined,
) =>
  html`<tr
    role="row"
    class=${table.pages.addedIds.has(row.id) ? 'new-row' : nothing}
    data-id=${row.id}
    aria-rowindex=${ifDefined(rowIndex)}
    @click=${(event: Event) => table.openRow(row, event)}
  >
    ${table.shownColumns.map((column) => {
      const custom = table.features?.renderCustomCell(column, row);
      return renderCell(column, custom?.content ?? column.cell(row), custom?.button);
    })}
  </tr>`;

/**
 * Renders a cell. The one that names its row contains the button that opens the row's details.
 *
 * @param button set if the content has links or buttons of its own, which must not be inside the
 *   button: it then follows the content, with this text and accessible name
 */
function renderCell<Row>(
  { isRowHeader, isNumeric, label }: Column<Row>,
  content: unknown,
  button?: { text: string; label: string },
) {
  const className = isNumeric ? 'number' : nothing;
  if (!isRowHeader) {
    return html`<td role="cell" class=${className} data-label=${label}>${content}</td>`;
  }
  return html`<th role="rowheader" class=${className} data-label=${label}>
    ${
      button
        ? html`${content}<button class="open" aria-label=${button.label}>${button.text}</button>`
        : html`<button class="open">${content}</button>`
    }
  </th>`;
}

/**
 * Reserves the height of rows that are not rendered: virtual scrolling, `rows-window.ts`.
 *
 * @param height in pixels; undefined without virtual scrolling
 */
const renderSpacer = (height: number | undefined) =>
  height === undefined
    ? nothing
    : html`<tbody class="spacer" aria-hidden="true" ?hidden=${height === 0}>
        <tr>
          <td .style=${`block-size:${height}px`}></td>
        </tr>
      </tbody>`;

/**
 * Renders the "Show more" button. The features render it with other labels: `tables/paging.ts`
 *
 * It is one template, so that the button keeps the focus when its label changes.
 */
export const renderMoreButton = <Row extends Resource>(
  table: TableElement<Row>,
  {
    isDisabled,
    label = table.display.messages.more,
    isDone = false,
  }: { isDisabled: boolean; label?: string; isDone?: boolean },
) =>
  html`<p class="more">
    <button
      type="button"
      class=${isDone ? 'secondary done' : 'secondary'}
      part="more-button"
      aria-disabled=${isDisabled ? 'true' : nothing}
      @click=${() => table.loadMore()}
    >
      ${label}
    </button>
  </p>`;

/** Shown if the chunk with the empty and error states could not be loaded. */
const renderUnavailable = <Row extends Resource>({ display }: TableElement<Row>) =>
  html`<p class="message">${display.messages.failed}</p>`;
