import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { EXPORT_PAGE_SIZE } from '@connect-embed/api/resources/lists/list';

/**
 * Reads all rows of a query in pages, newest first.
 *
 * @param table the table whose `id` and `created_at` the query selects
 */
export async function* readAllPages<
  Tables extends keyof Database,
  Row extends { id: string; created_at: Date },
>(select: SelectQueryBuilder<Database, Tables, Row>, table: keyof Database): AsyncGenerator<Row[]> {
  const key = sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})`;
  const ordered = select
    .orderBy(sql.ref(`${table}.created_at`), 'desc')
    .orderBy(sql.ref(`${table}.id`), 'desc')
    .limit(EXPORT_PAGE_SIZE);
  for (let last: Row | undefined; ;) {
    const rows: Row[] = await (
      last ? ordered.where(sql<boolean>`${key} < (${last.created_at}, ${last.id})`) : ordered
    ).execute();
    if (rows.length) yield rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
    last = rows.at(-1);
  }
}
