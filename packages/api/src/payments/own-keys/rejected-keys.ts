import { saveAccount } from '../accounts.ts';
import type { WorkerDeps } from '../deps.ts';
import { nextRowVersion } from '../row-version.ts';
import { inaccessibleState } from '../stripe/accounts.ts';
import type { OwnKeys } from '../stripe/own-keys.ts';

/**
 * Saves that Stripe no longer accepts the keys of an account, so that the dashboard says it. Ignores keys
 * that were replaced meanwhile, because a process uses the former ones for a few seconds.
 */
export async function saveRejectedKeys(
  { db, storedKeys, log }: Pick<WorkerDeps, 'db' | 'storedKeys' | 'log'>,
  account: string,
  rejected: OwnKeys,
): Promise<void> {
  const rowVersion = await nextRowVersion(db);
  storedKeys.forget(account);
  const current = await storedKeys.find(account);
  if (current?.secretKey !== rejected.secretKey) return;
  const { id } = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .executeTakeFirstOrThrow();
  await saveAccount(db, id, inaccessibleState(account, 'keys_rejected'), rowVersion);
  log.warn(
    { organization_id: id, account },
    'Stripe no longer accepts the keys of an organization',
  );
}
