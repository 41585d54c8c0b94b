import { forOrganization } from './organization-scope.ts';
import type { Db } from './schema.ts';

/** Loads what pages need to show the logo; undefined if the organization has none. */
export const findLogo = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('organization_logo')
    .select(['hash', 'media_type', 'width', 'height'])
    .executeTakeFirst();

/** Returns the path of a logo on this service. Another logo has another path. */
export const logoPath = (organizationId: string, { hash }: { hash: string }) =>
  `/logos/${organizationId}/${hash}`;
