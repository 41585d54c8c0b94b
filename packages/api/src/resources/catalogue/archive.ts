import { ConnectError, notFound } from '@connect-embed/contract';
import { sql } from 'kysely';
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
 * @throws {ConnectError} `not_found`; `conflict` if it is that of a live form
 */
export async function archive(db: Db, table: CatalogueTable, ref: CatalogueRef): Promise<void> {
  await requireNoLiveForm(db, table, ref);
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
 * @throws {ConnectError} `conflict` if donations, events or a live form refer to it; `not_found`
 */
export async function deleteUnused(
  db: Db,
  table: CatalogueTable,
  ref: CatalogueRef,
): Promise<void> {
  await requireNoLiveForm(db, table, ref);
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

/**
 * A form whose only fund or campaign is archived can take no donations. A form with several funds to
 * choose from goes on with the others.
 *
 * @throws {ConnectError} `conflict` naming the form
 */
async function requireNoLiveForm(
  db: Db,
  table: CatalogueTable,
  { organizationId, id }: CatalogueRef,
): Promise<void> {
  const form = await forOrganization(db, organizationId)
    .selectFrom('form')
    .innerJoin('form_version', (join) =>
      join
        .onRef('form_version.form_id', '=', 'form.id')
        .onRef('form_version.version', '=', 'form.live_version'),
    )
    .where('form.closed_at', 'is', null)
    .where(
      sql<boolean>`form_version.settings -> 'terms' ->> ${`${table}_id`} = ${isId(id) ? id : ''}`,
    )
    .select('form.name')
    .executeTakeFirst();
  if (!form) return;
  const message = `The form “${form.name}” uses this ${table}. Change or close the form first.`;
  throw new ConnectError('conflict', message, { code: 'resource_in_use' });
}
