import { html } from 'hono/html';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { Html } from '../../../lib/html.ts';
import type { DashboardContext } from '../env.ts';
import { listView, type ListDescription } from '../pages/list.ts';
import { countText, exportHead } from './filter-form.ts';
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
  const head = count > 0 ? exportHead(list.path, countText(count, noun), view.params) : '';
  return html`${head} ${rows}`;
}
