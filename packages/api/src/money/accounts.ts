import { ConnectError } from '@connect-embed/contract';
import type { WorkDeps } from '../env.ts';
import type { CredentialOrganization, PayableOrganization } from '../auth/organization.ts';
import type { Db } from '../db/database.ts';
import type { AccountState } from '../processor/accounts.ts';
import { takeReading } from './reading.ts';

/** How long an account that may not take gifts is believed to still be so. */
const BELIEVED_MS = 20_000;

/**
 * Asks the processor what an account may do, and keeps it.
 *
 * @returns undefined for an account that is no organization's
 */
export async function syncAccount(
  { db, processor }: Pick<WorkDeps, 'db' | 'processor'>,
  account: string,
): Promise<AccountState | undefined> {
  const owner = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .executeTakeFirst();
  if (!owner) return undefined;
  const reading = await takeReading(db);
  const state = await processor.retrieveAccount(account);
  await keepAccount(db, owner.id, state, reading);
  return state;
}

/** Keeps what an account may do, unless a later answer stands already. */
export async function keepAccount(
  db: Db,
  organizationId: string,
  state: AccountState,
  reading: number,
): Promise<void> {
  const told = {
    id: state.id,
    charges_enabled: state.chargesEnabled,
    payouts_enabled: state.payoutsEnabled,
    details_submitted: state.detailsSubmitted,
    disabled_reason: state.disabledReason,
    due: state.due,
    reading,
    read_at: new Date(),
  };
  await db
    .insertInto('processor_account')
    .values({ ...told, organization_id: organizationId })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet(told)
        .where('processor_account.reading', '<', reading),
    )
    .execute();
}

/**
 * Lets gifts through to an account that may take them.
 *
 * What the last event told counts. Where that was "no", or nothing was ever told, the processor is
 * asked, so that an event which got lost closes no form; where it does not answer, the gift goes on:
 * the processor itself refuses what an account may not take.
 *
 * @returns the organization, with its account
 * @throws {ConnectError} `conflict` when the organization cannot take gifts
 */
export async function mayTakeGifts(
  deps: Pick<WorkDeps, 'db' | 'processor'>,
  organization: CredentialOrganization,
): Promise<PayableOrganization> {
  const payable = withAccount(organization);
  const { name, processorAccountId: account } = payable;
  const known = await deps.db
    .selectFrom('processor_account')
    .select(['charges_enabled', 'read_at'])
    .where('id', '=', account)
    .executeTakeFirst();
  if (known?.charges_enabled) return payable;
  const fresh = known && Math.abs(Date.now() - known.read_at.getTime()) < BELIEVED_MS;
  const may = fresh ? false : await ask(deps, account);
  if (!may) throw notYet(name, 'its account at the card processor may not take payments');
  return payable;
}

/** @throws {ConnectError} `conflict` when the organization has no account yet */
export function withAccount(organization: CredentialOrganization): PayableOrganization {
  const { name, processorAccountId } = organization;
  if (processorAccountId) return { ...organization, processorAccountId };
  throw notYet(name, 'its account at the card processor has not been opened');
}

async function ask(deps: Pick<WorkDeps, 'db' | 'processor'>, account: string): Promise<boolean> {
  try {
    return (await syncAccount(deps, account))?.chargesEnabled ?? true;
  } catch (error) {
    if (error instanceof ConnectError && error.type === 'unavailable') return true;
    throw error;
  }
}

const notYet = (name: string, why: string) =>
  new ConnectError('conflict', `${name} cannot take gifts yet: ${why}.`);
