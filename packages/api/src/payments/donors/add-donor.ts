import { ConnectError } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db, Tx } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';
import { upsertDonor } from '../record-donation.ts';
import { requireDonorEditor, type ActingMember } from './find-donor.ts';

export type StoredDonation = Selectable<Database['donation']>;

/** @throws {ConnectError} `not_found` */
export const findDonation = (db: Db, organizationId: string, id: string): Promise<StoredDonation> =>
  findById(
    'donation',
    id,
    forOrganization(db, organizationId).selectFrom('donation').selectAll().where('id', '=', id),
  );

/**
 * Gives a donation without a donor the donor with this address; without an address, a new donor.
 *
 * @returns the id of the donor
 * @throws {ConnectError} `conflict` if the donation was given a donor at the same time
 */
export async function addDonor(
  tx: Tx,
  { id, organization_id, donor_name, source }: StoredDonation,
  email: string | null,
): Promise<string> {
  const { id: contact_id } = await upsertDonor(tx, organization_id, {
    ...(email !== null && { donor_email: email }),
    ...(donor_name !== null && { donor_name }),
    source,
  }).executeTakeFirstOrThrow();
  const updated = await forOrganization(tx, organization_id)
    .updateTable('donation')
    .set({ contact_id, donor_email: email })
    .where('id', '=', id)
    .where('contact_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!updated)
    throw new ConnectError('conflict', 'This donation already has a donor. Open it again.');
  return contact_id;
}

/**
 * Adds the person who is named in a donation to the donors. A donation without an email address has only
 * a name, and only the data of a donor can be corrected, exported and erased.
 *
 * @returns the id of the donor, also if the donation had one
 * @throws {ConnectError} `forbidden`, `not_found`, `conflict` if the donation has no name
 */
export async function addNamedDonor(
  db: Db,
  member: ActingMember,
  donationId: string,
): Promise<string> {
  requireDonorEditor(member);
  const donation = await findDonation(db, member.organizationId, donationId);
  if (donation.contact_id) return donation.contact_id;
  if (donation.donor_name === null)
    throw new ConnectError('conflict', 'This donation is anonymous, so no donor can be added.');
  return await db.transaction().execute((tx) => addDonor(tx, donation, null));
}
