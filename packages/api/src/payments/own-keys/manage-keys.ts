import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { isUniqueViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { saveAccount } from '../accounts.ts';
import type { WorkerDeps } from '../deps.ts';
import { nextRowVersion } from '../row-version.ts';
import type { AccountState } from '../stripe/accounts.ts';
import { HANDLERS } from '../stripe-events/handlers.ts';

type KeyDeps = Pick<WorkerDeps, 'db' | 'processor' | 'storedKeys' | 'keyEncrypter' | 'baseUrl'>;

/** The keys that an owner entered. */
export interface KeysInput {
  secret_key: string;
  publishable_key: string;
}

/** The types of Stripe events that the webhook endpoint of an own account must receive. */
export const EVENT_TYPES: readonly string[] = [...HANDLERS.keys()];

/** The URL to which Stripe sends the events of an organization's own account. */
export const eventsUrl = (baseUrl: string, organizationId: string) =>
  `${baseUrl}/processor-events/${organizationId}`;

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
  const secret = encrypted === null ? undefined : await keyEncrypter.decrypt(encrypted);
  return { ...keys, has_webhook_secret: secret !== undefined };
}

/**
 * Verifies an organization's own keys with Stripe and stores them encrypted. Creates the webhook
 * endpoint if the key may do that.
 *
 * @returns the state of the account
 * @throws {ConnectError} `invalid_request` naming the field; `conflict` if the organization has
 *   donations of another account; `unavailable` if Stripe cannot be reached
 */
export async function saveOwnKeys(
  deps: KeyDeps,
  organizationId: string,
  input: KeysInput,
): Promise<AccountState> {
  const { db, processor, keyEncrypter, storedKeys } = deps;
  const livemode = requireOneMode(input);
  const { secret_key: secretKey, publishable_key: publishableKey } = input;
  const rowVersion = await nextRowVersion(db);
  const account = await processor.verifyKeys({ secretKey, publishableKey });
  await requireSameAccount(db, organizationId, account.id);
  const stored = await findStored(db, organizationId);
  const endpoint = await processor.createWebhookEndpoint(secretKey, {
    url: eventsUrl(deps.baseUrl, organizationId),
    types: [...EVENT_TYPES],
  });
  const row = {
    encrypted_secret_key: await keyEncrypter.encrypt(secretKey),
    secret_key_end: secretKey.slice(-4),
    publishable_key: publishableKey,
    livemode,
    webhook_endpoint_id: endpoint?.id ?? null,
    encrypted_webhook_secret: endpoint
      ? await keyEncrypter.encrypt(endpoint.secret)
      : enteredSecret(stored, { account: account.id, livemode }),
  };
  await db.transaction().execute(async (tx) => {
    await setAccount(tx, organizationId, account.id);
    await forOrganization(tx, organizationId)
      .insertInto('stripe_key', { ...row })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
      .execute();
  });
  storedKeys.forget(account.id);
  await saveAccount(db, organizationId, account, rowVersion);
  // Last, so that events are received all the time.
  await deleteEndpoint(deps, stored);
  return account;
}

/** Stores the signing secret of a webhook endpoint that the owner created at Stripe. */
export async function saveWebhookSecret(
  { db, keyEncrypter }: KeyDeps,
  organizationId: string,
  secret: string,
): Promise<void> {
  if (!/^whsec_\S{10,200}$/.test(secret)) {
    throw invalidRequest('webhook_secret', 'must start with whsec_.');
  }
  await forOrganization(db, organizationId)
    .updateTable('stripe_key')
    .set({ encrypted_webhook_secret: await keyEncrypter.encrypt(secret) })
    .execute();
}

/**
 * Removes an organization's own keys and their webhook endpoint. The organization then takes no
 * donations until keys of the same account are entered again.
 *
 * @throws {ConnectError} `conflict` while donors have recurring donations, which could not be managed
 */
export async function removeOwnKeys(deps: KeyDeps, organizationId: string): Promise<void> {
  const { db, storedKeys } = deps;
  const plans = await countActivePlans(db, organizationId);
  if (plans > 0) {
    throw new ConnectError(
      'conflict',
      `${plans === 1 ? 'A recurring donation uses' : `${plans} recurring donations use`} these keys. Cancel them first, or replace the keys with other keys of the same account.`,
    );
  }
  await deleteEndpoint(deps, await findStored(db, organizationId));
  await db.transaction().execute(async (tx) => {
    const scope = forOrganization(tx, organizationId);
    await scope.deleteFrom('stripe_key').execute();
    await scope.deleteFrom('processor_account').execute();
    const { processor_account_id } = await findAccount(tx, organizationId);
    if (processor_account_id) storedKeys.forget(processor_account_id);
    await tx
      .updateTable('organization')
      .set({ processor_account_id: null })
      .where('id', '=', organizationId)
      .execute();
  });
}

const ACTIVE_STATUSES = ['active', 'past_due', 'paused'] as const;

const countActivePlans = async (db: Db, organizationId: string): Promise<number> => {
  const { count } = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', 'in', ACTIVE_STATUSES)
    .executeTakeFirstOrThrow();
  return Number(count);
};

const findAccount = (db: Db, organizationId: string) =>
  db
    .selectFrom('organization')
    .select('processor_account_id')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

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

/** An account with donations cannot be exchanged, because they could not be refunded any more. */
async function requireSameAccount(db: Db, organizationId: string, account: string): Promise<void> {
  const { processor_account_id: current } = await findAccount(db, organizationId);
  if (current === account || current === null) return;
  const payment = await forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!payment) return;
  throw invalidRequest(
    'secret_key',
    'belongs to another Stripe account than your donations. Use keys of the same account.',
  );
}

const findStored = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('stripe_key')
    .innerJoin('organization', 'organization.id', 'stripe_key.organization_id')
    .select(['organization.processor_account_id as account', 'livemode', 'encrypted_secret_key'])
    .select(['webhook_endpoint_id', 'encrypted_webhook_secret'])
    .executeTakeFirst();
type Stored = Awaited<ReturnType<typeof findStored>>;

/** Returns the secret of an endpoint that the owner created, if it also reports payments of the new keys. */
function enteredSecret(
  stored: Stored,
  keys: { account: string; livemode: boolean },
): string | null {
  const isSame = stored?.account === keys.account && stored.livemode === keys.livemode;
  return isSame && stored.webhook_endpoint_id === null ? stored.encrypted_webhook_secret : null;
}

/** Deletes the webhook endpoint at Stripe that was created with the stored key. */
async function deleteEndpoint({ processor, keyEncrypter }: KeyDeps, stored: Stored): Promise<void> {
  if (!stored?.webhook_endpoint_id) return;
  const secretKey = await keyEncrypter.decrypt(stored.encrypted_secret_key);
  if (secretKey) await processor.deleteWebhookEndpoint(secretKey, stored.webhook_endpoint_id);
}

async function setAccount(tx: Db, organizationId: string, account: string): Promise<void> {
  await forOrganization(tx, organizationId)
    .deleteFrom('processor_account')
    .where('id', '<>', account)
    .execute();
  await tx
    .updateTable('organization')
    .set({ processor_account_id: account })
    .where('id', '=', organizationId)
    .execute()
    .catch((cause: unknown) => {
      if (!isUniqueViolation(cause)) throw cause;
      const problem = 'belongs to a Stripe account that another organization uses here.';
      throw invalidRequest('secret_key', problem, { cause });
    });
}
