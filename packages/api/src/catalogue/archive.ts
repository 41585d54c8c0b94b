import { ConnectError, notFound } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { isPointedAt } from '../db/refusals.ts';
import { isId } from '../id.ts';

/** What gifts are for, and where they come from; both are named by gifts for ever. */
export type Catalogued = 'fund' | 'campaign';

/** One fund or campaign, and whose. */
export interface OneOf {
  organizationId: string;
  id: string;
}

/**
 * Puts a fund or campaign away: nothing more is given to it, and what was given keeps its name.
 *
 * @throws {ConnectError} `not_found`
 */
export async function archive(db: Db, table: Catalogued, one: OneOf): Promise<void> {
  await settle(table, one, async () => {
    const withdrawn =
      table === 'fund'
        ? db.updateTable('fund').set({ published: false, archived_at: new Date() }).where(its(one))
        : db
            .updateTable('campaign')
            .set({ is_active: false, archived_at: new Date() })
            .where(its(one));
    return (await withdrawn.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Takes it out again. It is not offered to the public before somebody says so.
 *
 * @throws {ConnectError} `not_found`
 */
export async function restore(db: Db, table: Catalogued, one: OneOf): Promise<void> {
  await settle(table, one, async () => {
    const taken = db.updateTable(table).set({ archived_at: null }).where(its(one));
    return (await taken.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Deletes one that nothing was ever given to. The database itself refuses the others, so that a
 * gift which arrives in this moment does not lose its fund.
 *
 * @throws {ConnectError} `conflict` when gifts or events name it, `not_found`
 */
export async function deleteUnused(db: Db, table: Catalogued, one: OneOf): Promise<void> {
  await settle(table, one, async () => {
    try {
      const { numDeletedRows } = await db.deleteFrom(table).where(its(one)).executeTakeFirst();
      return numDeletedRows;
    } catch (cause) {
      if (!isPointedAt(cause)) throw cause;
      const message = `Gifts or events belong to this ${table}. Archive it instead.`;
      throw new ConnectError('conflict', message, { cause });
    }
  });
}

/** Whether a gift or an event names it; then it can be archived, not deleted. */
export async function isUsed(db: Db, table: Catalogued, one: OneOf): Promise<boolean> {
  const column = `${table}_id` as const;
  const has = (named: 'donation' | 'event') =>
    db
      .selectFrom(named)
      .select('id')
      .where('organization_id', '=', one.organizationId)
      .where(column, '=', one.id)
      .limit(1)
      .executeTakeFirst();
  return Boolean((await has('event')) ?? (await has('donation')));
}

/** That row, and only if it is the organization's own. */
const its = ({ organizationId, id }: OneOf) =>
  sql<boolean>`organization_id = ${organizationId} and id = ${id}`;

async function settle(table: Catalogued, { id }: OneOf, act: () => Promise<bigint>): Promise<void> {
  if (!isId(id) || (await act()) === 0n) throw notFound(table, id);
}
