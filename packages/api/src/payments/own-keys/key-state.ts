import { invalidRequest } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/** What decides which keys an organization may enter and remove. */
export type KeyState = Awaited<ReturnType<typeof loadKeyState>>;

/**
 * Loads the account of an organization and its stored keys.
 *
 * @returns `previous` is the account whose payments are stored, also after its keys were removed; `livemode` the mode of
 *   the last keys, or without keys whether the organization has ever been live
 */
export async function loadKeyState(db: Db, organizationId: string) {
  const organization = await db
    .selectFrom('organization')
    .select(['processor_account_id as account', 'removed_account_id', 'live_since'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const stored = await forOrganization(db, organizationId)
    .selectFrom('stripe_key')
    .selectAll()
    .executeTakeFirst();
  const { account, removed_account_id, live_since } = organization;
  return {
    account,
    previous: account ?? removed_account_id,
    liveSince: live_since,
    livemode: stored?.livemode ?? live_since !== null,
    stored,
  };
}

/** Locks the organization until the end of the transaction, so that its keys change one after the other. */
export const lockOrganization = (tx: Db, organizationId: string) =>
  tx
    .selectFrom('organization')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** The account and mode of keys. */
export interface KeysTarget {
  account: string;
  livemode: boolean;
}

/** Whether keys have the account and mode of the previous ones, so that they find the same objects at Stripe. */
export const isSameTarget = (
  { previous, livemode: previousLivemode }: KeyState,
  { account, livemode }: KeysTarget,
): boolean => previous === account && livemode === previousLivemode;

/**
 * Checks that an organization can enter keys: its earlier payments can be refunded with them, and no
 * other organization uses the account.
 *
 * @throws {ConnectError} `invalid_request` naming `secret_key`
 */
export async function requireUsableKeys(
  db: Db,
  organizationId: string,
  state: KeyState,
  { account, livemode }: KeysTarget,
): Promise<void> {
  const other = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .where('id', '<>', organizationId)
    .executeTakeFirst();
  if (other) throw accountInUse();
  const { previous, liveSince } = state;
  if (previous !== null && previous !== account && (await hasPayments(db, organizationId))) {
    const problem =
      'belongs to another Stripe account than your donations. Use keys of the same account.';
    throw invalidRequest('secret_key', problem);
  }
  if (!livemode && liveSince && (await hasPayments(db, organizationId, liveSince))) {
    const problem = 'is a test key, but your donors have paid with real money. Use live keys.';
    throw invalidRequest('secret_key', problem);
  }
}

export const accountInUse = (cause?: unknown) =>
  invalidRequest('secret_key', 'belongs to a Stripe account that another organization uses here.', {
    cause,
  });

/** Whether an organization has payments, or payments that were started. */
export async function hasPayments(
  db: Db,
  organizationId: string,
  since = new Date(0),
): Promise<boolean> {
  const payment = await forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .select('id')
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return payment !== undefined;
}
