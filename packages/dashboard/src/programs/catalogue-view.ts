import { html } from 'hono/html';
import type { CatalogueTable } from '@connect-embed/api/resources/catalogue/archive';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement } from '../pages/dashboard-layout.ts';

/**
 * Common columns of funds and campaigns. A fund or campaign that a donation or event references is
 * archived instead of deleted.
 */
export interface CataloguedRow {
  id: string;
  name: string;
  archived_at: Date | null;
  created_at: Date;
}

/** Says that an archived record accepts no donations. */
export const archivedNotice = ({ archived_at }: CataloguedRow, timeZone: string): Html | null =>
  archived_at &&
  html`<p class="notice">
    Archived on ${dateElement(archived_at, timeZone)}. It accepts no more donations. Past donations
    keep its name.
  </p>`;

/**
 * Renders the buttons that archive, restore and delete a record.
 *
 * @param used true if donations or events reference the record, so that it cannot be deleted
 */
export const archiveSection = (
  path: string,
  table: CatalogueTable,
  { archived_at }: CataloguedRow,
  used: boolean,
): Html =>
  html`<section class="panel" aria-labelledby="away">
    <h2 id="away">${archived_at ? 'Restore' : 'Archive'} this ${table}</h2>
    <p class="muted">
      ${
        archived_at
          ? `A restored ${table} can accept donations again.`
          : `An archived ${table} accepts no more donations and cannot be selected.`
      }
      ${used ? `It cannot be deleted because it has donations or events.` : ''}
    </p>
    <div class="buttons">
      <form method="post" action="${path}/${archived_at ? 'restore' : 'archive'}">
        <button class="secondary">${archived_at ? 'Restore' : 'Archive'}</button>
      </form>
      ${used ? '' : html`<a class="button danger" href="${path}/delete">Delete</a>`}
    </div>
  </section>`;
