import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';
import { syncPayout } from '../money/sync-payout.ts';
import { z } from 'zod';
import { handlersOf, type Outcome } from './handler.ts';
import { organizationOf } from './owner.ts';
import { StripeId, type EventWith } from '../processor/stripe-event.ts';

const TYPES = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  // Only now is it final what a deposit is made of.
  'payout.reconciliation_completed',
] as const satisfies Stripe.Event.Type[];

async function lookAgain(deps: WorkDeps, event: EventWith<{ id: string }>): Promise<Outcome> {
  const { account } = event;
  const organizationId = await organizationOf(deps.db, account);
  if (!organizationId || !account) return 'ignored';
  const payoutId = event.data.object.id;
  return await syncPayout(deps, { organizationId, account, payoutId, event });
}

/** Deposits to the organization's bank account. */
export const payouts = handlersOf(TYPES, z.object({ id: StripeId }), lookAgain);
