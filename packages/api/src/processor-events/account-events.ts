import type Stripe from 'stripe';
import type { WorkerDeps } from '../env.ts';
import { syncAccount } from '../money/accounts.ts';
import { z } from 'zod';
import { createHandlers, type Outcome } from './event-handler.ts';

const TYPES = [
  'account.updated',
  'capability.updated',
  'account.application.deauthorized',
] as const satisfies Stripe.Event.Type[];

/** No event is kept: whoever asks twice gets the same answer, and nothing is told of it. */
async function syncFromEvent(
  deps: WorkerDeps,
  { account }: { account?: string | undefined },
): Promise<Outcome> {
  if (!account) return 'ignored';
  return (await syncAccount(deps, account)) ? 'recorded' : 'ignored';
}

/** What the organizations' accounts may do. */
export const accountEvents = createHandlers(TYPES, z.object({}), syncFromEvent);
