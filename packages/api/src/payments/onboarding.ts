import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { WorkerDeps } from './deps.ts';
import type { OnboardingUrls } from './stripe/accounts.ts';
import { saveAccount } from './accounts.ts';
import { hasPayments } from './own-keys/key-state.ts';
import { nextRowVersion } from './row-version.ts';

type OnboardingDeps = Pick<WorkerDeps, 'db' | 'processor'>;

/**
 * Creates an organization's Stripe account if it has none, and returns a link to Stripe's
 * onboarding pages.
 *
 * @returns a URL that can be opened once and expires after a few minutes
 * @throws {ConnectError} `conflict` or `unavailable`, with a message for the owner
 */
export async function startOnboarding(
  deps: OnboardingDeps,
  organizationId: string,
  urls: OnboardingUrls,
): Promise<string> {
  if (!deps.processor.hasPlatform) {
    const message = 'Accounts cannot be opened here. Enter the keys of your own Stripe account.';
    throw new ConnectError('conflict', message);
  }
  try {
    const account = await ensureAccount(deps, organizationId);
    return await deps.processor.createOnboardingLink(account, urls);
  } catch (cause) {
    if (!(cause instanceof ConnectError) || cause.type !== 'unavailable') throw cause;
    const message =
      'Stripe could not be reached. Try again in a minute. You will not get a second account.';
    throw new ConnectError('unavailable', message, { cause });
  }
}

/**
 * Returns the id of the organization's Stripe account and creates the account if needed.
 *
 * The idempotency key at Stripe is derived from the organization, so concurrent and repeated calls
 * create one account.
 */
async function ensureAccount(
  { db, processor }: OnboardingDeps,
  organizationId: string,
): Promise<string> {
  const loadOrganization = () =>
    db
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
  const {
    processor_account_id: existingAccountId,
    name,
    contact_email: email,
    website,
    removed_account_id: removedAccountId,
  } = await loadOrganization();
  if (existingAccountId) return existingAccountId;
  if (removedAccountId && (await hasPayments(db, organizationId))) {
    const message = `Your donations were paid to the Stripe account ${removedAccountId}. Enter its keys again.`;
    throw new ConnectError('conflict', message);
  }
  const rowVersion = await nextRowVersion(db);
  const state = await processor.createAccount({ organizationId, name, email, website });
  const saved = await db
    .updateTable('organization')
    .set({
      processor_account_id: state.id,
      removed_account_id: null,
      ...(processor.livemode && { live_since: sql<Date>`coalesce(live_since, clock_timestamp())` }),
    })
    .where('id', '=', organizationId)
    .where('processor_account_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (saved) await saveAccount(db, organizationId, state, rowVersion);
  // A concurrent call has saved its account: use that account.
  return saved ? state.id : ((await loadOrganization()).processor_account_id ?? state.id);
}
