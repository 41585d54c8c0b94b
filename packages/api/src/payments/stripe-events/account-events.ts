import type Stripe from 'stripe';
import type { WorkerDeps } from '../deps.ts';
import { syncAccount } from '../accounts.ts';
import { z } from 'zod';
import { createHandlers, type Outcome } from './event-handler.ts';

const TYPES = [
  'account.updated',
  'capability.updated',
  'account.application.deauthorized',
] as const satisfies Stripe.Event.Type[];

/**
 * Fetches and saves the state of the event's account. The event is not marked as handled, because a
 * repeated fetch has no further effect and sends no webhook event.
 */
async function syncFromEvent(
  deps: WorkerDeps,
  { account }: { account?: string | undefined },
): Promise<Outcome> {
  if (!account) return 'ignored';
  return (await syncAccount(deps, account)) ? 'recorded' : 'ignored';
}

/** Stripe events about connected accounts. Update whether an organization may take payments. */
export const accountEvents = createHandlers(TYPES, z.object({}), syncFromEvent);
