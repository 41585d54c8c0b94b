import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';
import { setMembership } from './membership.ts';
import type { Role } from './roles.ts';
import type { People } from './people.ts';

/**
 * The password of all demo accounts, which is public. The demo accounts exist only with the
 * sandbox, never with real Stripe keys.
 */
export const DEMO_PASSWORD = 'harbor-street-demo';

/** Permissions of an admin who sees no payouts and cannot take donations. */
const NON_FINANCIAL_SCOPES = ALL_SCOPES.filter(
  (scope) => scope !== 'payouts:read' && scope !== 'payments:write',
);

interface DemoPerson {
  email: string;
  name: string;
  memberships: { organizationId: string; role: Role; permissions?: Scope[] }[];
}

export const DEMO_PEOPLE = [
  {
    email: 'owner@harborstreet.example',
    name: 'Dana Whitfield',
    memberships: [
      { organizationId: 'org_harbor', role: 'owner' },
      { organizationId: 'org_lantern', role: 'admin' },
    ],
  },
  {
    email: 'admin@harborstreet.example',
    name: 'Miguel Santos',
    memberships: [
      { organizationId: 'org_harbor', role: 'admin', permissions: NON_FINANCIAL_SCOPES },
    ],
  },
  {
    email: 'volunteer@harborstreet.example',
    name: 'June Park',
    memberships: [{ organizationId: 'org_harbor', role: 'member' }],
  },
  { email: 'developer@sprout.example', name: 'Robin Achterberg', memberships: [] },
] as const satisfies DemoPerson[];

/**
 * Creates the demo accounts if the demo organizations exist and the database contains no accounts
 * yet.
 *
 * @returns true if the accounts were created
 */
export async function seedDemoPeople(db: Db, people: People): Promise<boolean> {
  const organizations = await db
    .selectFrom('organization')
    .select('id')
    .where('id', 'in', ['org_harbor', 'org_lantern'])
    .execute();
  const existingPerson = await db.selectFrom('person').select('id').limit(1).executeTakeFirst();
  if (organizations.length < 2 || existingPerson) return false;
  for (const { memberships, ...person } of DEMO_PEOPLE as readonly DemoPerson[]) {
    const personId = await people.create({ ...person, password: DEMO_PASSWORD });
    for (const membership of memberships) await setMembership(db, { ...membership, personId });
  }
  return true;
}
