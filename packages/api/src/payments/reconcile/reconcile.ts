import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { WorkerDeps } from '../deps.ts';
import { isAccessRefused } from '../stripe/errors.ts';
import { syncAccount } from '../accounts.ts';
import { registerDomains } from '../domains.ts';
import { backfillEvents } from './backfill.ts';
import { compare } from './compare.ts';
import {
  saveProgress,
  type ComparedAccount,
  type CompareOptions,
  type ReconciledAccount,
  type Reporter,
} from './difference.ts';

export interface ReconcileOptions {
  /** Limits the run to one organization. All organizations if omitted. */
  organizationId?: string | undefined;
  /** Called for an organization that failed. The other organizations are still reconciled. */
  onFailure(organizationId: string, error: unknown): void;
  /** Returns how to compare the lists, or undefined to only process missed events. */
  compareOptionsFor(organization: ComparedAccount): CompareOptions | undefined;
}

/**
 * Processes Stripe events that were not delivered and compares the database with Stripe's lists:
 * docs/decisions/0033-sync-and-reconciliation.md
 */
export async function reconcile(
  deps: WorkerDeps,
  { organizationId, onFailure, compareOptionsFor }: ReconcileOptions,
  report: Reporter,
): Promise<void> {
  for (const organization of await organizationsByLastRun(deps, organizationId)) {
    try {
      const options = compareOptionsFor(organization);
      if (options?.repair !== false) {
        await backfillEvents(deps, organization, report);
        await registerDomains(deps, organization, 'new');
      }
      if (options) await compare(deps, organization, options, report);
    } catch (error) {
      onFailure(organization.id, await saveFailure(deps, organization, error));
    }
  }
}

/**
 * Moves an organization that failed to the end of the queue. If its account is disconnected,
 * returns an error that says so: this is no fault of this service and lasts until the owner
 * reconnects the account.
 */
async function saveFailure(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  error: unknown,
): Promise<unknown> {
  const isRefused = isAccessRefused(error);
  try {
    await saveProgress(deps.db, organization, { last_run_at: new Date() });
    if (isRefused) await syncAccount(deps, organization.account);
  } catch {
    return error; // The database fails as well: report the original error.
  }
  if (!isRefused) return error;
  const message = `${organization.account} is no longer connected to this service. Its owner can connect it again.`;
  return new ConnectError('conflict', message, { cause: (error as ConnectError).cause });
}

/**
 * Organizations with the oldest run come first, so that slow or failing ones cannot starve the
 * others.
 */
async function organizationsByLastRun(
  { db, processor }: WorkerDeps,
  organizationId: string | undefined,
) {
  const livemode = sql<boolean>`coalesce(stripe_key.livemode, ${processor.livemode}::boolean)`;
  let query = db
    .selectFrom('organization')
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
    .leftJoin('reconciliation', (join) =>
      join
        .onRef('reconciliation.organization_id', '=', 'organization.id')
        .on('reconciliation.livemode', '=', livemode),
    )
    .select(['organization.id', 'processor_account_id as account', 'compared_at as comparedAt'])
    .select([
      livemode.as('livemode'),
      sql<boolean>`(${livemode} or live_since is null)`.as('isCounted'),
    ])
    .where('processor_account_id', 'is not', null)
    .orderBy('last_run_at', (order) => order.asc().nullsFirst())
    .orderBy('organization.id');
  if (organizationId) query = query.where('organization.id', '=', organizationId);
  const rows = await query.execute();
  return rows.flatMap(({ account, ...row }) => (account ? [{ ...row, account }] : []));
}
