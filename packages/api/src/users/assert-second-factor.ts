import { ConnectError } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';

/** Names, for error messages, what an organization can require two-step sign-in for. */
export const PROTECTED_ACTIONS_TEXT = 'changes and exports';

/**
 * Rejects a person without two-step sign-in if the organization requires it.
 *
 * The functions that refund, erase or change Stripe keys, and those that change who may, call it themselves, so that no
 * page, token or command bypasses the check. Someone who steals the
 * session of a person without two-step sign-in can therefore neither remove the requirement nor invite
 * an account that has it: docs/decisions/0084-sign-in-security.md
 *
 * @throws {ConnectError} `forbidden` with the code `second_factor_required`
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
  const text = `The organization requires two-step sign-in for ${PROTECTED_ACTIONS_TEXT}. Turn it on under Account.`;
  throw new ConnectError('forbidden', text, { code: 'second_factor_required' });
}
