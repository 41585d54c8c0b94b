import { ConnectError } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';

/** What an organization that requires two-step sign-in keeps to people who have turned it on. */
export const PROTECTED_ACTIONS = 'refunds, and for changes to who may refund';

/**
 * Refuses a person without two-step sign-in where the organization requires it.
 *
 * Called by what refunds, and by what decides who may: so no page, token or command goes around it, and a stolen
 * session can neither drop the requirement nor bring in somebody who meets it:
 * docs/decisions/0085-two-step-sign-in.md
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
    .select('two_factor_enabled as isOn')
    .where('id', '=', personId)
    .executeTakeFirst();
  if (person?.isOn) return;
  const text = `The organization requires two-step sign-in for ${PROTECTED_ACTIONS}. Turn it on under Account.`;
  throw new ConnectError('forbidden', text);
}
