import { isCounted } from '../db/counted.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { selectDonations } from '../resources/donations/donations.ts';
import { selectDonors } from '../resources/donors.ts';
import { selectPayouts } from '../resources/payouts.ts';
import type { Change } from './change-log.ts';

export type Resource = Readonly<Record<string, unknown>> & { id: string };

/**
 * Loads the resources of each kind with the query of their list, so that a resource in a live
 * stream equals the one in its list. What a list leaves out by default is not sent.
 */
const LOADERS = {
  donation: (db: Db, organizationId: string, ids: string[]) =>
    selectDonations(forOrganization(db, organizationId))
      .where('donation.id', 'in', ids)
      .where(isCounted('donation', organizationId))
      .execute(),
  donor: (db: Db, organizationId: string, ids: string[]) =>
    selectDonors(forOrganization(db, organizationId)).where('donor.id', 'in', ids).execute(),
  payout: (db: Db, organizationId: string, ids: string[]) =>
    selectPayouts(forOrganization(db, organizationId))
      .where('payout.id', 'in', ids)
      .where(isCounted('payout', organizationId))
      .execute(),
};

const KINDS = Object.keys(LOADERS) as (keyof typeof LOADERS)[];

/**
 * Loads the current state of the changed resources, by id. The log was read before, so the state is
 * never older than the changes.
 */
export async function loadChangedResources(
  db: Db,
  organizationId: string,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Resource>> {
  const resourcesByKind = await Promise.all(
    KINDS.map(async (kind): Promise<Resource[]> => {
      const ids = changes.filter((change) => change.kind === kind).map(({ id }) => id);
      return ids.length ? await LOADERS[kind](db, organizationId, ids) : [];
    }),
  );
  return new Map(resourcesByKind.flat().map((resource) => [resource.id, resource]));
}
