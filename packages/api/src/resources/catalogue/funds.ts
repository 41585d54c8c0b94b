import { ConnectError, type Fund } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { findById, newId } from '../../lib/id.ts';
import type { CatalogueRef } from './archive.ts';

/** Fields of a fund that an organization can edit. */
export type FundInput = Pick<Fund, 'name' | 'description' | 'type' | 'goal_cents' | 'published'>;

export type FundRow = Awaited<ReturnType<typeof findFund>>;

/**
 * Finds a fund of an organization.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findFund(db: Db, { organizationId, id }: CatalogueRef) {
  return await findById(
    'fund',
    id,
    forOrganization(db, organizationId)
      .selectFrom('fund')
      .selectAll()
      .$narrowType<Pick<Fund, 'type'>>()
      .where('id', '=', id),
  );
}

/** Creates a fund and returns its id. */
export async function createFund(
  db: Db,
  organizationId: string,
  input: FundInput,
): Promise<string> {
  const id = newId('fund');
  await forOrganization(db, organizationId)
    .insertInto('fund', { id, ...input })
    .execute();
  return id;
}

/**
 * Updates a fund.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the fund is archived
 */
export async function updateFund(db: Db, ref: CatalogueRef, input: FundInput): Promise<void> {
  const { id } = await findFund(db, ref);
  const { numUpdatedRows } = await forOrganization(db, ref.organizationId)
    .updateTable('fund')
    .set(input)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new ConnectError('conflict', 'This fund is archived. Restore it to edit it.', {
      code: 'resource_archived',
    });
  }
}
