import { ConnectError, type Scope } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import { addApiKey } from '../auth/api-key.ts';
import { lockUntilCommit, LOCKS, withLock } from '../db/advisory-lock.ts';
import type { Database, Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { toSlug } from '../resources/catalogue/slug.ts';
import { parseLogo, saveLogo } from '../resources/organization-logo.ts';
import { setMembership } from '../users/membership.ts';
import type { People } from '../users/people.ts';
import { isEmpty, removeSetupLinks } from './setup-link.ts';

/** What the server (BFF) needs for forms and goals. */
const SERVER_SCOPES: readonly Scope[] = ['payments:write', 'reference:read'];

/** What an owner enters about the organization. */
export type OrganizationInput = Pick<
  Selectable<Database['organization']>,
  'name' | 'currency' | 'time_zone' | 'contact_email' | 'legal_name' | 'tax_id' | 'receipt_note'
> & { logo: Uint8Array | null };

/**
 * Creates the account of the first owner and ends all setup links.
 *
 * @throws {ConnectError} `conflict` if the account was created in the meantime
 */
export const createOwner = (
  db: Db,
  people: People,
  owner: { name: string; email: string; password: string },
): Promise<void> =>
  withLock(db, LOCKS.setup, async () => {
    if (!(await isEmpty(db))) throw alreadySetUp();
    await people.create(owner);
    await removeSetupLinks(db);
  });

/**
 * Returns whether the first organization can be created by a person who has an account: the owner whom
 * the setup created, or somebody whom the operator added with `connect-embed people create`. Nobody else can
 * have an account before there is an organization.
 */
export const lacksOrganization = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()) === undefined;

/**
 * Creates the first organization with its owner, its logo and the API key of the server.
 *
 * @param serverApiKey the key in `SERVER_API_KEY`; undefined if the operator has set none
 * @returns the id of the organization
 * @throws {ConnectError} `conflict` if an organization was created in the meantime; `invalid_request`
 *   naming `logo`
 */
export async function createFirstOrganization(
  db: Db,
  { personId, serverApiKey }: { personId: string; serverApiKey: string | undefined },
  { logo, ...columns }: OrganizationInput,
): Promise<string> {
  const parsedLogo = logo && parseLogo(logo);
  return await db.transaction().execute(async (tx) => {
    await lockUntilCommit(tx, LOCKS.setup);
    if (!(await lacksOrganization(tx))) throw alreadySetUp();
    const organizationId = newId('org');
    await tx
      .insertInto('organization')
      .values({ id: organizationId, slug: toSlug(columns.name) || 'organization', ...columns })
      .execute();
    await setMembership(tx, { organizationId, personId, role: 'owner' });
    if (parsedLogo) await saveLogo(tx, organizationId, parsedLogo);
    if (serverApiKey) {
      const key = { organizationId, name: 'Server (set up automatically)', scopes: SERVER_SCOPES };
      await addApiKey(tx, { ...key, createdBy: personId }, serverApiKey);
    }
    return organizationId;
  });
}

const alreadySetUp = () =>
  new ConnectError('conflict', 'The setup was completed in the meantime. Sign in to continue.');
