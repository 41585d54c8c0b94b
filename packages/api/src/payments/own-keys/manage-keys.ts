import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { sql, type Insertable } from 'kysely';
import { isUniqueViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db } from '../../db/schema.ts';
import { assertSecondFactor } from '../../users/assert-second-factor.ts';
import { saveAccount } from '../accounts.ts';
import type { WorkerDeps } from '../deps.ts';
import { nextRowVersion } from '../row-version.ts';
import type { AccountState } from '../stripe/accounts.ts';
import { endLivePayments, requireNoLivePayments } from './end-live-payments.ts';
import { forgetObjects, forgetTestBalance } from './forget-objects.ts';
import {
  accountInUse,
  isSameTarget,
  leavesLiveMode,
  loadKeyState,
  lockOrganization,
  requireUsableKeys,
  type KeyState,
  type KeysTarget,
} from './key-state.ts';
import { secretKeyOf, webhookSecretOf } from './stored-keys.ts';
import { deleteStoredEndpoint, tryCreateEndpoint, tryDeleteEndpoint } from './webhook-endpoint.ts';

export type KeyDeps = Pick<
  WorkerDeps,
  'db' | 'processor' | 'storedKeys' | 'keyEncrypter' | 'baseUrl' | 'log'
>;

/** The person who changes the keys of an organization. */
export interface Member {
  organizationId: string;
  personId: string;
}

/** The keys that an owner entered. */
export interface KeysInput {
  secret_key: string;
  publishable_key: string;
}

/**
 * Loads what the dashboard shows of an organization's own keys; undefined if it has none.
 *
 * @returns `has_webhook_secret` is false, too, if the stored secret cannot be read
 */
export async function findOwnKeys(
  { db, keyEncrypter }: Pick<KeyDeps, 'db' | 'keyEncrypter'>,
  organizationId: string,
) {
  const row = await forOrganization(db, organizationId)
    .selectFrom('stripe_key')
    .select(['secret_key_end', 'publishable_key', 'livemode', 'encrypted_webhook_secret'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { encrypted_webhook_secret: encrypted, ...keys } = row;
  const secret =
    encrypted === null
      ? undefined
      : await keyEncrypter.decrypt(encrypted, webhookSecretOf(organizationId));
  return { ...keys, has_webhook_secret: secret !== undefined };
}

/**
 * Verifies an organization's own keys with Stripe and stores them encrypted. Creates the webhook
 * endpoint if the key may do that.
 *
 * @returns the state of the account
 * @throws {ConnectError} `invalid_request` naming the field, also if the organization has payments of
 *   another account, or donors still pay with the live keys that test keys would replace; `forbidden`
 *   without the second factor; `unavailable`
 */
export async function saveOwnKeys(
  deps: KeyDeps,
  member: Member,
  input: KeysInput,
): Promise<AccountState> {
  const { db, processor, keyEncrypter, log } = deps;
  const { organizationId } = member;
  await assertSecondFactor(db, member);
  const livemode = requireOneMode(input);
  const { secret_key: secretKey, publishable_key: publishableKey } = input;
  const rowVersion = await nextRowVersion(db);
  const account = await processor
    .verifyKeys({ secretKey, publishableKey })
    .catch((err: unknown) => {
      log.warn({ err, organization_id: organizationId }, 'Stripe keys were not accepted');
      throw err;
    });
  const target = { account: account.id, livemode };
  const state = await loadKeyState(db, organizationId);
  await requireUsableKeys(db, organizationId, state, target);
  const areKeysUsable =
    !leavesLiveMode(state, target) || (await endLivePayments(deps, organizationId, state));
  const endpoint = await tryCreateEndpoint(deps, secretKey, organizationId);
  const row = {
    encrypted_secret_key: await keyEncrypter.encrypt(secretKey, secretKeyOf(organizationId)),
    secret_key_end: secretKey.slice(-4),
    publishable_key: publishableKey,
    livemode,
    webhook_endpoint_id: endpoint?.id ?? null,
    encrypted_webhook_secret: endpoint
      ? await keyEncrypter.encrypt(endpoint.secret, webhookSecretOf(organizationId))
      : null,
  };
  const keys = { account, row, rowVersion, areKeysUsable };
  const before = await storeKeys(deps, organizationId, keys).catch(async (error: unknown) => {
    if (endpoint) await tryDeleteEndpoint(deps, secretKey, endpoint.id);
    throw error;
  });
  // Last, so that events are received all the time.
  await deleteStoredEndpoint(deps, before, isSameTarget(before, target) ? secretKey : undefined);
  return account;
}

interface NewKeys {
  account: AccountState;
  row: Omit<Insertable<Database['stripe_key']>, 'organization_id'>;
  rowVersion: number;
  /** Whether Stripe accepts the live keys that test keys replace. */
  areKeysUsable: boolean;
}

/** @returns what was stored before */
async function storeKeys(
  { db, storedKeys }: KeyDeps,
  organizationId: string,
  { account, row, rowVersion, areKeysUsable }: NewKeys,
): Promise<KeyState> {
  const target = { account: account.id, livemode: row.livemode };
  const before = await db.transaction().execute(async (tx) => {
    await lockOrganization(tx, organizationId);
    const state = await loadKeyState(tx, organizationId);
    // Keys may have been saved by another request since the first check.
    await requireUsableKeys(tx, organizationId, state, target);
    if (leavesLiveMode(state, target))
      await requireNoLivePayments(tx, organizationId, areKeysUsable);
    await setAccount(tx, organizationId, state, target);
    const saved = {
      ...row,
      encrypted_webhook_secret: row.encrypted_webhook_secret ?? enteredSecret(state, target),
    };
    await forOrganization(tx, organizationId)
      .insertInto('stripe_key', { ...saved })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(saved))
      .execute();
    await saveAccount(tx, organizationId, account, rowVersion);
    await endEmbedSessions(tx, organizationId);
    if (!isSameTarget(state, target)) {
      await forgetObjects(tx, organizationId, row.livemode);
      if (state.liveSince === null) await forgetTestBalance(tx, organizationId);
    }
    return state;
  });
  if (before.account) storedKeys.forget(before.account);
  storedKeys.forget(account.id);
  return before;
}

/**
 * Stores the signing secret of a webhook endpoint that the owner created at Stripe.
 *
 * @throws {ConnectError} `invalid_request` naming `webhook_secret`; `forbidden` without the second
 *   factor; `conflict` if there are no keys, or the endpoint was created with them
 */
export async function saveWebhookSecret(
  { db, keyEncrypter }: KeyDeps,
  member: Member,
  secret: string,
): Promise<void> {
  await assertSecondFactor(db, member);
  if (!/^whsec_\S{10,200}$/.test(secret)) {
    throw invalidRequest('webhook_secret', 'must start with whsec_.');
  }
  const encrypted_webhook_secret = await keyEncrypter.encrypt(
    secret,
    webhookSecretOf(member.organizationId),
  );
  const { numUpdatedRows } = await forOrganization(db, member.organizationId)
    .updateTable('stripe_key')
    .set({ encrypted_webhook_secret })
    .where('webhook_endpoint_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  throw new ConnectError(
    'conflict',
    'No signing secret is needed: there are no Stripe keys, or their notifications are set up.',
  );
}

/** Servers open new sessions, so that forms are shown with the new publishable key. */
export const endEmbedSessions = (tx: Db, organizationId: string) =>
  forOrganization(tx, organizationId)
    .updateTable('embed_session')
    .set({ expires_at: sql<Date>`now()` })
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();

/** @returns true if both keys are live, false if both are test keys */
function requireOneMode({ secret_key, publishable_key }: KeysInput): boolean {
  const [, secretMode] = /^[sr]k_(live|test)_\w+$/.exec(secret_key) ?? [];
  const [, publishableMode] = /^pk_(live|test)_\w+$/.exec(publishable_key) ?? [];
  if (!secretMode) {
    throw invalidRequest('secret_key', 'must start with sk_live_, sk_test_, rk_live_ or rk_test_.');
  }
  if (!publishableMode) {
    throw invalidRequest('publishable_key', 'must start with pk_live_ or pk_test_.');
  }
  if (secretMode !== publishableMode) {
    const problem = `is a ${publishableMode} key, but the secret key is a ${secretMode} key.`;
    throw invalidRequest('publishable_key', problem);
  }
  return secretMode === 'live';
}

/** Returns the secret of an endpoint that the owner created, if it also reports payments of the new keys. */
function enteredSecret(state: KeyState, target: KeysTarget): string | null {
  const { stored } = state;
  if (!stored || stored.webhook_endpoint_id !== null) return null;
  return isSameTarget(state, target) ? stored.encrypted_webhook_secret : null;
}

async function setAccount(
  tx: Db,
  organizationId: string,
  { liveSince }: KeyState,
  { account, livemode }: KeysTarget,
): Promise<void> {
  await forOrganization(tx, organizationId)
    .deleteFrom('processor_account')
    .where('id', '<>', account)
    .execute();
  await tx
    .updateTable('organization')
    .set({
      processor_account_id: account,
      removed_account_id: null,
      ...(livemode && { live_since: liveSince ?? new Date() }),
    })
    .where('id', '=', organizationId)
    .execute()
    .catch((cause: unknown) => {
      throw isUniqueViolation(cause) ? accountInUse(cause) : cause;
    });
}
