import { ConnectError, type Campaign } from '@connect-embed/contract';
import type { Db } from '../../db/schema.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import { findById, newId } from '../../lib/id.ts';
import type { CatalogueRef } from './archive.ts';
import { throwSlugConflict, toSlug } from './slug.ts';

/** Fields of a campaign that an organization can edit. */
export type CampaignInput = Pick<Campaign, 'name' | 'description' | 'goal_cents' | 'is_active'> & {
  /** An empty slug is derived from the name. */
  slug: string;
  start_date: Date | null;
  end_date: Date | null;
};

export type CampaignRow = Awaited<ReturnType<typeof findCampaign>>;

/**
 * Finds a campaign of an organization.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findCampaign(db: Db, { organizationId, id }: CatalogueRef) {
  return await findById(
    'campaign',
    id,
    forOrganization(db, organizationId).selectFrom('campaign').selectAll().where('id', '=', id),
  );
}

/**
 * Creates a campaign.
 *
 * @returns the new campaign's id
 * @throws {ConnectError} `invalid_request` naming `slug` if another campaign has it
 */
export async function createCampaign(
  db: Db,
  organizationId: string,
  input: CampaignInput,
): Promise<string> {
  const id = newId('camp');
  const slug = input.slug || toSlug(input.name) || id;
  await forOrganization(db, organizationId)
    .insertInto('campaign', { ...input, id, slug })
    .execute()
    .catch((cause: unknown) => throwSlugConflict('campaign', cause));
  return id;
}

/**
 * Updates a campaign.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the campaign is archived; `invalid_request`
 *   naming `slug` if another campaign has it
 */
export async function updateCampaign(
  db: Db,
  ref: CatalogueRef,
  input: CampaignInput,
): Promise<void> {
  const { id, slug } = await findCampaign(db, ref);
  const result = await forOrganization(db, ref.organizationId)
    .updateTable('campaign')
    .set({ ...input, slug: input.slug || slug })
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
    .catch((cause: unknown) => throwSlugConflict('campaign', cause));
  if (result.numUpdatedRows === 0n) {
    const message = 'This campaign is archived. Restore it to edit it.';
    throw new ConnectError('conflict', message);
  }
}
