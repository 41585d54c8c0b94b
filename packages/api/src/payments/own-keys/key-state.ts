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

export interface KeysTarget {
  account: string;
  livemode: boolean;
}

/** Whether keys have the account and mode of the previous ones, so that they find the same objects at Stripe. */
export const isSameTarget = (
  { previous, livemode: previousLivemode }: KeyState,
  { account, livemode }: KeysTarget,
): boolean => previous === account && livemode === previousLivemode;

/** Whether keys end the use of live keys, with which donors may still be paying. */
export const leavesLiveMode = (previous: KeyState, { livemode }: KeysTarget): boolean =>
  previous.livemode && !livemode;

/**
 * Checks that an organization can enter keys: its earlier payments can be refunded with them, and no
 * other organization uses the account. Live keys may be those of another account than the tests, because
 * a sandbox at Stripe is an account of its own.
 *
 * @throws {ConnectError} `invalid_request` naming `secret_key`
 */
export async function requireUsableKeys(
  db: Db,
  organizationId: string,
  { previous, liveSince }: KeyState,
  { account, livemode }: KeysTarget,
): Promise<void> {
  const other = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .where('id', '<>', organizationId)
    .executeTakeFirst();
  if (other) throw accountInUse();
  if (previous === null || previous === account) return;
  const leavesTestsBehind = livemode && liveSince === null;
  if (leavesTestsBehind || !(await hasPayments(db, organizationId))) return;
  const problem =
    'belongs to another Stripe account than your donations. Use keys of the same account.';
  throw invalidRequest('secret_key', problem);
}

export const accountInUse = (cause?: unknown) =>
  invalidRequest('secret_key', 'belongs to a Stripe account that another organization uses here.', {
    cause,
  });

/** Whether an organization has payments, or payments that were started. */
export async function hasPayments(db: Db, organizationId: string): Promise<boolean> {
  const payment = await forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return payment !== undefined;
}

const ACTIVE_STATUSES = ['active', 'past_due', 'paused'] as const;

/** Counts the recurring donations that Stripe charges with an organization's keys. */
export async function countActivePlans(db: Db, organizationId: string): Promise<number> {
  const { count } = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', 'in', ACTIVE_STATUSES)
    .executeTakeFirstOrThrow();
  return Number(count);
}
