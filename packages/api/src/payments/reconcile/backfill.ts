import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import { batchesOf } from '../../lib/batches.ts';
import { HANDLERS, prepareEvent } from '../stripe-events/handlers.ts';
import { markEventHandled } from '../stripe-events/handled-events.ts';
import { finalRefusal, isAccessRefused } from '../stripe/errors.ts';
import { saveProgress, type ReconciledAccount, type Reporter } from './difference.ts';

/**
 * Stripe may list events slightly out of order, so each run starts a little before the last one
 * ended.
 */
const OVERLAP_MS = 5 * 60_000;
/** Start of the first run. Stripe retries webhook deliveries for 3 days. */
const INITIAL_LOOKBACK_MS = 3 * 86_400_000;
const TYPES = [...HANDLERS.keys()];

/**
 * Fetches Stripe's list of events and processes those that were never delivered, with the handlers
 * of the webhook endpoint.
 *
 * The position is saved as Stripe's event time, so it does not depend on our clock. It does not
 * advance past an event that failed, unless Stripe refuses a call for it for good.
 *
 * @throws the first error, after all other events were processed
 */
export async function backfillEvents(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  report: Reporter,
) {
  const from = await findStart(deps.db, organization);
  const events = await deps.processor.listEvents(organization.account, TYPES, from);
  report.onChecked(events.length);
  const failures: { event: Stripe.Event; error: unknown }[] = [];
  for (const event of await filterUnhandled(deps.db, organization.id, events)) {
    try {
      await handleEvent(deps, organization, event, report);
    } catch (error) {
      // An account that refuses every call is another failure than a missing object.
      const reason = isAccessRefused(error) ? undefined : finalRefusal(error, false);
      const entry = { event_id: event.id, event_type: event.type, reason };
      if (reason) deps.log.warn(entry, 'event not processed: Stripe refuses a call for it');
      else failures.push({ event, error });
    }
  }
  const [first] = failures;
  const last = first?.event ?? events.at(-1);
  await saveProgress(deps.db, organization, {
    last_run_at: new Date(),
    ...(last && { events_processed_until: new Date(last.created * 1000) }),
  });
  if (first) throw first.error;
}

async function handleEvent(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  event: Stripe.Event,
  report: Reporter,
): Promise<void> {
  // Events that are listed with a connected account's id have no `account` field.
  const outcome = await prepareEvent({ ...event, account })(deps);
  if (outcome === 'recorded') {
    const description = `the Stripe event ${event.type} had not been received`;
    report.onDifference({ organizationId, id: event.id, description, isRepaired: true });
  }
  await markEventHandled(deps.db, organizationId, event);
}

async function findStart(db: Db, { id, livemode }: ReconciledAccount): Promise<Date> {
  const row = await forOrganization(db, id)
    .selectFrom('reconciliation')
    .select('events_processed_until')
    .where('livemode', '=', livemode)
    .executeTakeFirst();
  const until = row?.events_processed_until?.getTime();
  return new Date(until === undefined ? Date.now() - INITIAL_LOOKBACK_MS : until - OVERLAP_MS);
}

async function filterUnhandled(
  db: Db,
  organizationId: string,
  events: Stripe.Event[],
): Promise<Stripe.Event[]> {
  const handledIds = new Set<string>();
  for (const batch of batchesOf(events, 1000)) {
    const ids = batch.map(({ id }) => id);
    const rows = await forOrganization(db, organizationId)
      .selectFrom('processor_event')
      .select('id')
      .where('id', 'in', ids)
      .execute();
    for (const { id } of rows) handledIds.add(id);
  }
  return events.filter(({ id }) => !handledIds.has(id));
}
