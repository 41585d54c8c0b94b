import { ConnectError, notFound } from '@connect-embed/contract';
import type { Db } from '../../db/schema.ts';
import { isForeignKeyViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import { isId } from '../../lib/id.ts';

/** The tables of funds and campaigns, to which donations refer permanently. */
export type CatalogueTable = 'fund' | 'campaign';

/** Identifies a fund or campaign of an organization. */
export interface CatalogueRef {
  organizationId: string;
  id: string;
}

/**
 * Archives a fund or campaign: it accepts no more donations, and existing donations still show its
 * name.
 *
 * @throws {ConnectError} `not_found`
 */
export async function archive(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    const update =
      table === 'fund'
        ? forOrganization(db, ref.organizationId)
            .updateTable('fund')
            .set({ published: false, archived_at: new Date() })
            .where('id', '=', ref.id)
        : forOrganization(db, ref.organizationId)
            .updateTable('campaign')
            .set({ is_active: false, archived_at: new Date() })
            .where('id', '=', ref.id);
    return (await update.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Restores an archived fund or campaign. It stays hidden from the public until the organization
 * publishes or activates it.
 *
 * @throws {ConnectError} `not_found`
 */
export async function restore(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    const update = forOrganization(db, ref.organizationId)
      .updateTable(table)
      .set({ archived_at: null })
      .where('id', '=', ref.id);
    return (await update.executeTakeFirst()).numUpdatedRows;
  });
}

/**
 * Deletes a fund or campaign to which no donation or event refers. A foreign key rejects the
 * deletion of any other, so that a donation recorded at the same moment does not lose its fund.
 *
 * @throws {ConnectError} `conflict` if donations or events refer to it, `not_found`
 */
export async function deleteUnused(
  db: Db,
  table: CatalogueTable,
  ref: CatalogueRef,
): Promise<void> {
  await requireAffectedRow(table, ref, async () => {
    try {
      const { numDeletedRows } = await forOrganization(db, ref.organizationId)
        .deleteFrom(table)
        .where('id', '=', ref.id)
        .executeTakeFirst();
      return numDeletedRows;
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      const message = `This ${table} has donations or events. Archive it instead.`;
      throw new ConnectError('conflict', message, { code: 'resource_in_use', cause });
    }
  });
}

/**
 * Returns whether a donation or an event refers to the fund or campaign, which can then be archived
 * but not deleted.
 */
export async function isUsed(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<boolean> {
  const column = `${table}_id` as const;
  const findReference = (source: 'donation' | 'event') =>
    forOrganization(db, ref.organizationId)
      .selectFrom(source)
      .select('id')
      .where(column, '=', ref.id)
      .limit(1)
      .executeTakeFirst();
  return Boolean((await findReference('event')) ?? (await findReference('donation')));
}

async function requireAffectedRow(
  table: CatalogueTable,
  { id }: CatalogueRef,
  change: () => Promise<bigint>,
): Promise<void> {
  if (!isId(id) || (await change()) === 0n) throw notFound(table, id);
}
