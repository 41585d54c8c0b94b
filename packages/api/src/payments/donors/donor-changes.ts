import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { DonorChangeDetails } from '../../db/column-types.ts';
import { newId } from '../../lib/id.ts';
import type { ActingMember } from './find-donor.ts';

interface NewChange {
  donorId: string;
  type: 'corrected' | 'receipt_sent' | 'exported' | 'merged' | 'erased';
  donationId?: string;
  details?: DonorChangeDetails;
}

/** Records in the donor's history what a member did. */
export const recordDonorChange = (
  tx: Db,
  { organizationId, personId }: ActingMember,
  { donorId, type, donationId, details = {} }: NewChange,
) =>
  forOrganization(tx, organizationId)
    .insertInto('donor_change', {
      id: newId('dch'),
      donor_id: donorId,
      type,
      donation_id: donationId ?? null,
      details: JSON.stringify(details),
      person_id: personId,
    })
    .execute();
