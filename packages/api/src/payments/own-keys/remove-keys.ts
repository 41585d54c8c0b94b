import { ConnectError, notFound } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { assertSecondFactor } from '../../users/assert-second-factor.ts';
import { hasOpenPayments, tryCancelPayments, WHEN_COMPLETED } from './cancel-open-payments.ts';
import { countActivePlans, loadKeyState, lockOrganization } from './key-state.ts';
import { endEmbedSessions, type KeyDeps, type Member } from './manage-keys.ts';
import { deleteStoredEndpoint } from './webhook-endpoint.ts';

/**
 * Removes an organization's own keys and their webhook endpoint, and cancels the payments that donors
 * have started. The organization then takes no donations until keys of the same account are entered
 * again.
 *
 * @throws {ConnectError} `not_found` without own keys; `forbidden` without the second factor;
 *   `conflict` while donors have recurring donations, which could not be managed, and while payments
 *   are being completed; `unavailable` if Stripe cannot be reached
 */
export async function removeOwnKeys(deps: KeyDeps, member: Member): Promise<void> {
  const { db, storedKeys } = deps;
  const { organizationId } = member;
  await assertSecondFactor(db, member);
  const before = await loadKeyState(db, organizationId);
  const { account, stored } = before;
  if (!stored || !account) throw notFound('Stripe keys', `of ${organizationId}`);
  await requireNoPlans(db, organizationId);
  const isUsable = await tryCancelPayments(deps, organizationId, before);
  const removed = await db.transaction().execute(async (tx) => {
    await lockOrganization(tx, organizationId);
    const state = await loadKeyState(tx, organizationId);
    if (state.stored?.encrypted_secret_key !== stored.encrypted_secret_key)
      throw new ConnectError('conflict', 'The keys were changed at the same time. Try again.');
    await requireNoPlans(tx, organizationId);
    if (isUsable) await requireNoOpenPayments(tx, organizationId);
    const scope = forOrganization(tx, organizationId);
    await scope.deleteFrom('stripe_key').execute();
    await endEmbedSessions(tx, organizationId);
    await scope.deleteFrom('processor_account').execute();
    await tx
      .updateTable('organization')
      .set({ processor_account_id: null, removed_account_id: account })
      .where('id', '=', organizationId)
      .execute();
    return state;
  });
  storedKeys.forget(account);
  await deleteStoredEndpoint(deps, removed);
}

async function requireNoPlans(db: Db, organizationId: string): Promise<void> {
  const plans = await countActivePlans(db, organizationId);
  if (plans === 0) return;
  throw new ConnectError(
    'conflict',
    `${plans === 1 ? 'A recurring donation uses these keys. End it' : `${plans} recurring donations use these keys. End them`} first, or replace the keys with other keys of the same account.`,
  );
}

async function requireNoOpenPayments(db: Db, organizationId: string): Promise<void> {
  if (!(await hasOpenPayments(db, organizationId))) return;
  throw new ConnectError('conflict', `A payment is being completed. ${WHEN_COMPLETED}`);
}
