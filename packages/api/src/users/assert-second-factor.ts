import { ConnectError } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';

/** The actions that require two-step sign-in, if the organization requires it. */
export const PROTECTED_ACTIONS = 'refunds and for changes to who can refund';

/**
 * Rejects a person without two-step sign-in if the organization requires it.
 *
 * It is called by the functions that refund and by those that change who may refund, so that no
 * page, token or command bypasses it. A stolen session can therefore neither drop the requirement
 * nor invite somebody who meets it: docs/decisions/0084-sign-in-security.md
 *
 * @throws {ConnectError} `forbidden`
 */
export async function assertSecondFactor(
  db: Db,
  { organizationId, personId }: { organizationId: string; personId: string },
): Promise<void> {
  const organization = await db
    .selectFrom('organization')
    .select('require_second_factor as isRequired')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!organization?.isRequired) return;
  const person = await db
    .selectFrom('person')
    .select('two_factor_enabled as isEnabled')
    .where('id', '=', personId)
    .executeTakeFirst();
  if (person?.isEnabled) return;
  const text = `The organization requires two-step sign-in for ${PROTECTED_ACTIONS}. Turn it on under Account.`;
  throw new ConnectError('forbidden', text, { code: 'second_factor_required' });
}
