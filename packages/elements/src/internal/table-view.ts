import { html, nothing, type TemplateResult } from 'lit';
import type { Resource, TableElement } from '../tables/table-element.ts';
import { createNode } from './format.ts';
import { tableTexts as texts, type Badge } from './messages/tables.ts';

export interface Column<Row> {
  /** As `columns` names it. */
  id: string;
  label: string;
  cell: (row: Row) => string | Node;
  /** Names the row: read out before its other cells. */
  names?: boolean;
  /** Digits in a column, at the far edge. */
  number?: boolean;
  /** Its words are known before, and so is its width; the others share what is left. */
  narrow?: boolean;
  /** Nothing is left of it when a session keeps this back: docs/decisions/0059-least-data.md */
  mask?: string;
}

/**
 * A native table with its faces. Roles are written out: a narrow table is laid out as cards, and
 * with the layout a browser would drop what the tags mean.
 */
export function renderTable<Row extends Resource>(table: TableElement<Row>): TemplateResult {
  const { pages, features } = table;
  const { status, rows } = pages;
  // What nobody asked for is empty, and what was asked for is there: a table stays when it narrows.
  const shown = status === 'loading' || (status === 'ready' && (rows[0] || features?.filtered));
  return html`<section
    class="frame"
    part="frame"
    .style="--_lines:${table.lines}"
    aria-busy=${status === 'loading'}
    ?inert=${table.isUntranslated || table.unsure}
  >
    ${shown && table.tools && features !== null ? html`<div class="tools" part="tools">${features?.renderToolbar()}</div>` : nothing}
    ${shown ? renderRows(table) : (features?.renderState() ?? renderUnavailable())}
    ${shown ? (features?.renderPaging() ?? renderMore(table)) : nothing}
    <p
      class=${pages.stale ? 'stale' : 'hidden'}
      role="status"
      .textContent=${features?.announcement() ?? ''}
    ></p>
    ${features?.renderDialogs()}
  </section>`;
}

function renderRows<Row extends Resource>(table: TableElement<Row>) {
  const { caption, pages, writer } = table;
  return html`<table role="table" part="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      ${writer.head}
    </thead>
    ${
      pages.status === 'loading'
        ? html`<tbody role="rowgroup" class="blank" inert></tbody>`
        : html`<tbody role="rowgroup" class="rows"></tbody>`
    }
  </table>`;
}

/** The button keeps its place, and with it the focus, also when all has been shown. */
function renderMore<Row extends Resource>(table: TableElement<Row>) {
  const { hasMore, isReading, rows, status } = table.pages;
  const open = hasMore || status === 'loading';
  return html`<p class="more">
    <button
      type="button"
      class=${open ? 'quiet' : 'quiet done'}
      part="more"
      aria-disabled=${!hasMore || isReading ? 'true' : nothing}
    >
      ${
        isReading
          ? texts.loadingMore
          : open
            ? texts.more
            : texts.all(rows.length.toLocaleString(table.display.language))
      }
    </button>
  </p>`;
}

/** The file with the faces cannot be had. */
const renderUnavailable = () => html`<p class="message">${texts.failed}</p>`;

/** A status: its text, and a color that only repeats it. */
export const renderBadge = ({ text, tone }: Badge) => createNode('bdi', text, `badge ${tone}`);
