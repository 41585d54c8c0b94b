import { invalidRequest } from '@connect-embed/contract';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { hasOpenPayments, tryCancelPayments, WHEN_COMPLETED } from './cancel-open-payments.ts';
import { countActivePlans, type KeyState } from './key-state.ts';

/**
 * Cancels the payments that donors have started with live keys, so that test keys can replace them.
 *
 * @returns false if Stripe does not accept the live keys any more, so that nothing can be completed with them
 * @throws {ConnectError} `invalid_request` naming `secret_key` while recurring donations run; `unavailable`
 */
export async function endLivePayments(
  deps: Pick<WorkerDeps, 'db' | 'processor' | 'keyEncrypter'>,
  organizationId: string,
  state: KeyState,
): Promise<boolean> {
  await requireNoPlans(deps.db, organizationId);
  return await tryCancelPayments(deps, organizationId, state);
}

/**
 * Checks in the transaction that stores test keys that nothing is charged with the live keys.
 *
 * @throws {ConnectError} `invalid_request` naming `secret_key`
 */
export async function requireNoLivePayments(
  tx: Db,
  organizationId: string,
  areKeysUsable: boolean,
): Promise<void> {
  await requireNoPlans(tx, organizationId);
  if (!areKeysUsable || !(await hasOpenPayments(tx, organizationId))) return;
  const problem = `is a test key, but a real payment is being completed. ${WHEN_COMPLETED}`;
  throw invalidRequest('secret_key', problem);
}

async function requireNoPlans(db: Db, organizationId: string): Promise<void> {
  const plans = await countActivePlans(db, organizationId);
  if (plans === 0) return;
  const problem =
    plans === 1
      ? 'a recurring donation runs with your live keys. End it first.'
      : `${plans} recurring donations run with your live keys. End them first.`;
  throw invalidRequest('secret_key', `is a test key, but ${problem}`);
}
