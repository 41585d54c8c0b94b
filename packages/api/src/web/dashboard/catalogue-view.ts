import { html } from 'hono/html';
import type { CatalogueTable } from '../../resources/catalogue/archive.ts';
import type { Html } from '../../lib/html.ts';
import { confirmation } from './confirmation.ts';
import { dateElement } from './dashboard-layout.ts';
import { empty, pager, table, type Column } from './table.ts';

/**
 * Common columns of funds and campaigns. Donations reference them, so they are archived instead of
 * deleted.
 */
export interface CataloguedRow {
  id: string;
  name: string;
  archived_at: Date | null;
  created_at: Date;
}

interface ListView<Row> {
  path: string;
  kind: { table: CatalogueTable; title: string; description: string };
  columns: Column<Row>[];
  rows: Row[];
  archived: boolean;
  cursor: string | undefined;
  next: string | null;
  mayEdit: boolean;
}

/** Renders the list of funds or campaigns. */
export const listView = <Row>(view: ListView<Row>): Html => {
  const { path, kind, columns, rows, archived, cursor, next, mayEdit } = view;
  return html`<p class="muted">${kind.description}</p>
    <div class="head">
      <ul class="filters">
        <li>${filterLink(path, 'Current', !archived)}</li>
        <li>${filterLink(`${path}?show=archived`, 'Archived', archived)}</li>
      </ul>
      ${mayEdit ? html`<a class="button" href="${path}/new">New ${kind.table}</a>` : ''}
    </div>
    ${
      rows.length
        ? table(kind.title, columns, rows)
        : empty(archived ? `No archived ${kind.table}s.` : `No ${kind.table}s yet.`)
    }
    ${pager(path, { cursor, next, ...(archived && { filters: { show: 'archived' } }) })}`;
};

/** Renders the link to one filter of a list. The current filter is marked with `aria-current`. */
export const filterLink = (href: string, text: string, current: boolean) =>
  html`<a href="${href}" ${current ? html`aria-current="true"` : ''}>${text}</a>`;

/** Renders the form to create or change a fund or campaign. */
export const formView = (path: string, fields: Html, buttonLabel: string) =>
  html`<form method="post" action="${path.replace(/\/new$/, '')}" class="panel" novalidate>
    ${fields}
    <button>${buttonLabel}</button>
  </form>`;

interface DetailView {
  path: string;
  table: CatalogueTable;
  row: CataloguedRow;
  content: Html;
  mayEdit: boolean;
  timeZone: string;
  /** True if donations or events reference this record, so that it cannot be deleted. */
  used: boolean;
}

/**
 * Renders the page of one fund or campaign. A record that donations or events reference has no
 * delete button.
 */
export const detailView = ({
  path,
  table,
  row,
  content,
  mayEdit,
  used,
  timeZone,
}: DetailView): Html =>
  html`${
    row.archived_at &&
    html`<p class="notice">
      Archived on ${dateElement(row.archived_at, timeZone)}. It accepts no more donations. Past
      donations keep its name.
    </p>`
  }
  ${content} ${mayEdit ? archiveSection(path, table, row, used) : ''}`;

const archiveSection = (path: string, table: CatalogueTable, row: CataloguedRow, used: boolean) =>
  html`<section class="panel" aria-labelledby="away">
    <h2 id="away">${row.archived_at ? 'Restore' : 'Archive'} this ${table}</h2>
    <p class="muted">
      ${
        row.archived_at
          ? `A restored ${table} can accept donations again.`
          : `An archived ${table} accepts no more donations and cannot be selected.`
      }
      ${used ? `It cannot be deleted because it has donations or events.` : ''}
    </p>
    <div class="buttons">
      <form method="post" action="${path}/${row.archived_at ? 'restore' : 'archive'}">
        <button class="secondary">${row.archived_at ? 'Restore' : 'Archive'}</button>
      </form>
      ${used ? '' : html`<a class="button danger" href="${path}/delete">Delete</a>`}
    </div>
  </section>`;

export const deletionView = (table: CatalogueTable, name: string, path: string) =>
  confirmation({
    text: `“${name}” has no donations. It will be permanently deleted.`,
    buttonLabel: `Delete ${table}`,
    cancelHref: path,
  });
