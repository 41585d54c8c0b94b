import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';
import { syncPayout } from '../money/sync-payout.ts';
import type { Handler, Handlers, Outcome } from './handler.ts';
import { organizationOf } from './owner.ts';

const TYPES = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  // Only now is it final what a deposit is made of.
  'payout.reconciliation_completed',
] as const satisfies Stripe.Event.Type[];

async function lookAgain(
  deps: WorkDeps,
  event: { id: string; type: string; account?: string; data: { object: { id: string } } },
): Promise<Outcome> {
  const { account } = event;
  const organizationId = await organizationOf(deps.db, account);
  if (!organizationId || !account) return 'ignored';
  const payoutId = event.data.object.id;
  return await syncPayout(deps, { organizationId, account, payoutId, event });
}

/** Deposits to the organization's bank account. */
export const payouts: Handlers = Object.fromEntries(
  TYPES.map((type): [string, Handler<typeof type>] => [type, lookAgain]),
);
