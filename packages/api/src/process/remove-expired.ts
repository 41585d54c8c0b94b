import { sql } from 'kysely';
import { removeOldBudgets } from '../auth/rate-limit.ts';
import { acrossOrganizations } from '../db/organization-scope.ts';
import { removeOldProcesses } from '../db/service-processes.ts';
import { removeOldReservations } from '../payments/fraud/card-budget.ts';
import { removeOldChanges } from '../live/change-log.ts';
import { removeOldMails } from '../mail/queue.ts';
import { removeOldTurns } from '../payments/processor-queue.ts';
import { removeOldReferences } from '../payments/reference.ts';
import { removeOldSiteRequests } from '../resources/allowed-sites/site-requests.ts';
import { removeOldPreviews } from '../resources/forms/form-preview.ts';
import { removeOldTokens } from '../oauth/expired-tokens.ts';
import { removeOldEvents } from '../webhooks/remove-old-events.ts';
import type { Db } from '../db/schema.ts';

/**
 * Deletes expired rows of all tables to limit their size. Code that reads these tables checks the expiry
 * itself.
 *
 * Sessions stay one more day, because a donation may reference the session of its form. Stripe
 * events stay 30 days; Stripe retries a delivery for three days. Stripe cancels a
 * subscription that was never paid after 23 hours; if that event is lost, the incomplete plan is
 * deleted here after two days. The donors of debits that banks returned are forgotten after 30 days, as emails are.
 */
export async function removeExpired(db: Db): Promise<void> {
  const yesterday = sql<Date>`now() - interval '1 day'`;
  await db
    .deleteFrom('idempotency_key')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await acrossOrganizations(db)
    .deleteFrom('embed_session')
    .where('expires_at', '<', yesterday)
    .execute();
  await acrossOrganizations(db)
    .deleteFrom('component_session')
    .where('expires_at', '<', yesterday)
    .execute();
  await acrossOrganizations(db)
    .deleteFrom('processor_event')
    .where('received_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
  await acrossOrganizations(db)
    .deleteFrom('recurring_plan')
    .where('status', '=', 'incomplete')
    .where('created_at', '<', sql<Date>`now() - interval '2 days'`)
    .execute();
  await acrossOrganizations(db)
    .updateTable('payment_intent')
    .set({ donor_name: null, donor_email: null, locale: null })
    .where('status', '=', 'failed')
    .where('status_at', '<', sql<Date>`now() - interval '30 days'`)
    .where(sql<boolean>`(donor_email is not null or donor_name is not null)`)
    .execute();
  await removeOldBudgets(db);
  await removeOldReservations(db);
  await removeOldEvents(db);
  await removeOldMails(db);
  await removeOldChanges(db);
  await removeOldTokens(db);
  await removeOldReferences(db);
  await removeOldTurns(db);
  await removeOldSiteRequests(db);
  await removeOldPreviews(db);
  await removeOldProcesses(db);
}
