import type Stripe from 'stripe';
import type { WorkerDeps } from '../deps.ts';
import { syncPayout } from '../sync-payout.ts';
import { z } from 'zod';
import { createHandlers, type Outcome } from './event-handler.ts';
import { findOrganizationByAccount } from './find-organization.ts';
import { StripeId, type EventWith } from '../stripe/stripe-event.ts';

const TYPES = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  // The list of a payout's entries is final only after this event.
  'payout.reconciliation_completed',
] as const satisfies Stripe.Event.Type[];

async function syncFromEvent(deps: WorkerDeps, event: EventWith<{ id: string }>): Promise<Outcome> {
  const { account } = event;
  const organizationId = await findOrganizationByAccount(deps.db, account);
  if (!organizationId || !account) return 'ignored';
  const payoutId = event.data.object.id;
  return await syncPayout(deps, { organizationId, account, payoutId, event });
}

/** Stripe events about payouts to the organization's bank account. */
export const payoutEvents = createHandlers(TYPES, z.object({ id: StripeId }), syncFromEvent);
