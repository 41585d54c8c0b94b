import { html, nothing, type TemplateResult } from '../shared/html.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';
import { createNode } from './format.ts';
import { messages, type StatusKey } from './table-messages.ts';

/**
 * Renders a table in its current state. It is a native table with explicit ARIA roles, because a
 * narrow table is laid out as cards, and browsers drop the tags' implicit roles when the layout
 * changes.
 */
export function renderTable<Row extends Resource>(table: TableHost<Row>): TemplateResult {
  const { pages, features } = table;
  const { status, rows } = pages;
  // A list without rows shows its empty state instead of the table, unless the viewer has set
  // filters.
  const shown = status === 'loading' || (status === 'ready' && (rows[0] || features?.isFiltered));
  return html`<section
    class="frame"
    part="frame"
    .style=${`--_lines:${table.lineCount}`}
    aria-busy=${status === 'loading'}
    ?inert=${table.isUntranslated || table.hasUnknownColumns}
  >
    ${shown && table.tools && features !== null ? html`<div class="tools" part="toolbar">${features?.renderToolbar()}</div>` : nothing}
    ${shown ? renderRows(table) : (features?.renderState() ?? renderUnavailable())}
    ${shown ? (features?.renderPaging() ?? renderMoreButton(!pages.hasMore)) : nothing}
    <p
      class=${pages.isStale ? 'stale' : 'hidden'}
      role="status"
      .textContent=${features?.announcement() ?? ''}
    ></p>
    ${features?.renderDialogs()}
  </section>`;
}

function renderRows<Row extends Resource>(table: TableHost<Row>) {
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
        ? html`<tbody role="rowgroup" class="skeleton" inert></tbody>`
        : html`<tbody role="rowgroup" class="rows"></tbody>`
    }
  </table>`;
}

/**
 * Renders the "Show more" button. The features render it with other labels: `tables/paging.ts`
 *
 * It is one template, so that the button keeps the focus when its label changes.
 */
export const renderMoreButton = (
  isDisabled: boolean,
  label = messages.more,
  className = 'secondary',
) =>
  html`<p class="more">
    <button
      type="button"
      class=${className}
      part="more-button"
      aria-disabled=${isDisabled ? 'true' : nothing}
    >
      ${label}
    </button>
  </p>`;

/** Shown if the chunk with the empty and error states could not be loaded. */
const renderUnavailable = () => html`<p class="message">${messages.failed}</p>`;

/** The colors of statuses; the others are muted. */
const TONES: Partial<Record<StatusKey, 'success' | 'pending' | 'error'>> = {
  received: 'success',
  payout_paid: 'success',
  dispute_won: 'success',
  payout_in_transit: 'pending',
  refund_partial: 'pending',
  payout_failed: 'error',
  dispute_open: 'error',
  dispute_lost: 'error',
};

/** Renders a status badge: its text, and a color that only repeats it. */
export const renderBadge = (status: StatusKey) =>
  createNode('bdi', messages[status], `badge ${TONES[status] ?? 'muted'}`);
