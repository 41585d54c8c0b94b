import { ConnectError, notFound } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { isForeignKeyViolation } from '../db/constraint-errors.ts';
import { isId } from '../id.ts';

/** What gifts are for, and where they come from; both are named by gifts for ever. */
export type CatalogueTable = 'fund' | 'campaign';

/** One fund or campaign, and whose. */
export interface CatalogueRef {
  organizationId: string;
  id: string;
}

/**
 * Puts a fund or campaign away: nothing more is given to it, and what was given keeps its name.
 *
 * @throws {ConnectError} `not_found`
 */
export async function archive(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    const update =
      table === 'fund'
        ? db
            .updateTable('fund')
            .set({ published: false, archived_at: new Date() })
            .where(matchesRef(ref))
        : db
            .updateTable('campaign')
            .set({ is_active: false, archived_at: new Date() })
            .where(matchesRef(ref));
    return (await update.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Takes it out again. It is not offered to the public before somebody says so.
 *
 * @throws {ConnectError} `not_found`
 */
export async function restore(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    const update = db.updateTable(table).set({ archived_at: null }).where(matchesRef(ref));
    return (await update.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Deletes one that nothing was ever given to. The database itself refuses the others, so that a
 * gift which arrives in this moment does not lose its fund.
 *
 * @throws {ConnectError} `conflict` when gifts or events name it, `not_found`
 */
export async function deleteUnused(
  db: Db,
  table: CatalogueTable,
  ref: CatalogueRef,
): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    try {
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where(matchesRef(ref))
        .executeTakeFirst();
      return numDeletedRows;
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      const message = `Gifts or events belong to this ${table}. Archive it instead.`;
      throw new ConnectError('conflict', message, { cause });
    }
  });
}

/** Whether a gift or an event names it; then it can be archived, not deleted. */
export async function isUsed(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<boolean> {
  const column = `${table}_id` as const;
  const has = (source: 'donation' | 'event') =>
    db
      .selectFrom(source)
      .select('id')
      .where('organization_id', '=', ref.organizationId)
      .where(column, '=', ref.id)
      .limit(1)
      .executeTakeFirst();
  return Boolean((await has('event')) ?? (await has('donation')));
}

/** That row, and only if it is the organization's own. */
const matchesRef = ({ organizationId, id }: CatalogueRef) =>
  sql<boolean>`organization_id = ${organizationId} and id = ${id}`;

async function requireAffectedRow(
  table: CatalogueTable,
  { id }: CatalogueRef,
  change: () => Promise<bigint>,
): Promise<void> {
  if (!isId(id) || (await change()) === 0n) throw notFound(table, id);
}
