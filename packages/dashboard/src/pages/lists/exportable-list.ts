import { html } from 'hono/html';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import type { Html } from '@connect-embed/api/lib/html';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { DashboardContext } from '../env.ts';
import { listView, type ListDescription } from '../list.ts';
import { exportHead } from './filter-form.ts';
import type { ListFilters } from './list-filters.ts';

interface ExportableList<Row, Tables extends keyof Database, Selected> extends Omit<
  ListDescription<Row>,
  'params'
> {
  /** Selects all records that match the filters, to count them. */
  select: SelectQueryBuilder<Database, Tables, Selected>;
  /** Name of one record. */
  noun: string;
  view: Pick<ListFilters, 'params' | 'pageParams'>;
}

/** Renders a filtered list below the number of its records and the link to the CSV file with them. */
export async function exportableList<Row, Tables extends keyof Database, Selected>(
  c: DashboardContext,
  { select, noun, view, ...list }: ExportableList<Row, Tables, Selected>,
): Promise<Html> {
  const [{ count }, rows] = await Promise.all([
    select
      .clearSelect()
      .select(sql<number>`count(*)::float8`.as('count'))
      .executeTakeFirstOrThrow(),
    listView(c, { ...list, params: view.pageParams }),
  ]);
  if (count === 0) return rows;
  const text = html`<p>${count.toLocaleString(LOCALE)} ${count === 1 ? noun : `${noun}s`}</p>`;
  return html`${exportHead(list.path, text, view.params)} ${rows}`;
}
