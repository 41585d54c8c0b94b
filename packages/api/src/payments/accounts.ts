import { ConnectError } from '@connect-embed/contract';
import type { WorkerDeps } from './deps.ts';
import type {
  CredentialOrganization,
  PayableOrganization,
} from '../http/credential-organization.ts';
import { isUniqueViolation } from '../db/constraint-errors.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { findOrganizationByAccount } from './stripe-events/find-organization.ts';
import type { AccountState } from './stripe/accounts.ts';
import { nextRowVersion } from './row-version.ts';

/** How long a stored `charges_enabled: false` is trusted before the account is fetched again. */
const CHARGES_DISABLED_TTL_MS = 20_000;

/**
 * Fetches an organization's Stripe account and saves whether it may take payments and receive
 * payouts.
 *
 * @returns undefined if no organization has this account
 */
export async function syncAccount(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  account: string,
): Promise<AccountState | undefined> {
  const organizationId = await findOrganizationByAccount(db, account);
  if (!organizationId) return undefined;
  const rowVersion = await nextRowVersion(db);
  const state = await processor.retrieveAccount(account);
  await saveAccount(db, organizationId, state, rowVersion);
  return state;
}

/**
 * Remembers that the organizations of a live platform take live payments. Called when the service starts, because a
 * platform becomes live in the configuration.
 */
export async function markLiveAccounts(db: Db): Promise<void> {
  await db
    .updateTable('organization')
    .set({ live_since: new Date() })
    .where('live_since', 'is', null)
    .where('processor_account_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('stripe_key')
            .select('organization_id')
            .whereRef('stripe_key.organization_id', '=', 'organization.id'),
        ),
      ),
    )
    .execute();
}

/** Saves the account state, unless a newer row version is stored already. */
export async function saveAccount(
  db: Db,
  organizationId: string,
  state: AccountState,
  rowVersion: number,
): Promise<void> {
  const columns = {
    id: state.id,
    charges_enabled: state.chargesEnabled,
    payouts_enabled: state.payoutsEnabled,
    details_submitted: state.detailsSubmitted,
    disabled_reason: state.disabledReason,
    requirements_due: state.requirementsDue,
    payment_method_types: state.paymentMethodTypes,
    row_version: rowVersion,
    fetched_at: new Date(),
  };
  const save = () =>
    forOrganization(db, organizationId)
      .insertInto('processor_account', { ...columns })
      .onConflict((conflict) =>
        conflict
          .column('organization_id')
          .doUpdateSet(columns)
          .where('processor_account.row_version', '<', rowVersion),
      )
      .execute();
  await save().catch(async (error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    // The same account was inserted concurrently. Now it exists and is updated.
    await save();
  });
}

/** The stored state of an organization's Stripe account; each field is null if none is stored. */
interface StoredAccount {
  charges_enabled: boolean | null;
  fetched_at: Date | null;
}

/**
 * Checks that an organization's Stripe account may take payments.
 *
 * A stored `charges_enabled: true` is trusted. If it is false or missing, the account is fetched,
 * so that a lost `account.updated` event does not block donations. If Stripe is unavailable, the
 * check passes: Stripe itself rejects a payment that the account may not take.
 *
 * @returns the organization with its Stripe account
 * @throws {ConnectError} `conflict` if the organization cannot take donations
 */
export async function requireChargesEnabled(
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
  organization: CredentialOrganization,
  stored: StoredAccount,
): Promise<PayableOrganization> {
  const payable = requireAccount(organization);
  const { name, processorAccountId: account } = payable;
  if (stored.charges_enabled) return payable;
  const isFresh =
    stored.fetched_at &&
    Math.abs(Date.now() - stored.fetched_at.getTime()) < CHARGES_DISABLED_TTL_MS;
  const chargesEnabled = !isFresh && (await fetchChargesEnabled(deps, account));
  if (!chargesEnabled)
    throw cannotTakeDonations(name, 'its account at the card processor cannot accept payments');
  return payable;
}

/** @throws {ConnectError} `conflict` if the organization has no Stripe account yet */
export function requireAccount(organization: CredentialOrganization): PayableOrganization {
  const { name, processorAccountId } = organization;
  if (processorAccountId) return { ...organization, processorAccountId };
  throw cannotTakeDonations(name, 'it has no account at the card processor');
}

async function fetchChargesEnabled(
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
  account: string,
): Promise<boolean> {
  try {
    return (await syncAccount(deps, account))?.chargesEnabled ?? true;
  } catch (error) {
    if (error instanceof ConnectError && error.type === 'unavailable') return true;
    throw error;
  }
}

const cannotTakeDonations = (name: string, reason: string) =>
  new ConnectError('conflict', `${name} cannot accept donations yet: ${reason}.`, {
    code: 'charges_disabled',
  });
