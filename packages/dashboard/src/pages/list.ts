import type { List } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { PageRequest } from '@connect-embed/api/resources/lists/page';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext } from './env.ts';
import { empty, pager, table, type Column } from './table.ts';

const PAGE_SIZE = 25;

/** Describes a list of records, newest first, as a table with pages. */
export interface ListDescription<Row> {
  /** Name of the table for screen readers. */
  label: string;
  /** URL path of the page that shows the list. */
  path: string;
  table: PageRequest['table'];
  /** The filters of the records. A cursor is valid only for the filters of its page. */
  filters?: PageRequest['filters'];
  /** The same filters as URL parameters. */
  params?: Record<string, string>;
  read: (page: PageRequest) => Promise<List<Row>>;
  columns: readonly Column<Row>[];
  /** Text in place of an empty list. */
  empty: string;
}

/** Renders the page of a list that the URL parameter `cursor` selects. */
export async function listView<Row>(
  c: DashboardContext,
  list: ListDescription<Row>,
): Promise<Html> {
  const { organizationId } = c.var.organization;
  const cursor = c.req.query('cursor');
  const { data, next_cursor: next } = await list.read({
    table: list.table,
    organizationId,
    ...(list.filters && { filters: list.filters }),
    query: { limit: PAGE_SIZE, ...(cursor && { cursor }) },
  });
  const rows = data.length ? table(list.label, list.columns, data) : empty(list.empty);
  return html`${rows} ${pager(list.path, { cursor, next, filters: list.params ?? {} })}`;
}

/** A view of a list that people select with a link above it. */
interface ListTab {
  text: string;
  href: string;
  current: boolean;
}

/**
 * Renders links to the views of a list. The current one is marked with `aria-current`.
 *
 * @param label name of the links for screen readers
 */
export const tabs = (label: string, list: readonly ListTab[]): Html =>
  html`<ul class="pills" aria-label="${label}">
    ${list.map(
      ({ text, href, current }) =>
        html`<li>
          <a href="${href}" ${current ? html`aria-current="true"` : ''}>${text}</a>
        </li>`,
    )}
  </ul>`;
