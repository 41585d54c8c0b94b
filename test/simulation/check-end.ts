import { sql } from 'kysely';
import type { Db } from '@connect-embed/api/db/schema';
import type { DonorResult } from './donor.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/**
 * Checks, when nothing is left to do, that nothing is missing.
 *
 * @returns the number of donations
 * @throws {Violation} if a payment, an event, a receipt or a total is missing or there twice
 */
export async function checkEnd(
  db: Db,
  system: SimulatedSystem,
  results: readonly DonorResult[],
): Promise<number> {
  const { ledger, receiver, organizationId } = system;
  const donations = await system.checkDonations();
  const paid = [...ledger.intents.values()].filter(({ isPaid }) => isPaid);
  if (donations.length !== paid.length) {
    system.fail(`${paid.length} donations were paid, and ${donations.length} are recorded`);
  }
  for (const { intent, amountCents, hasPaid, hasSeenSuccess, hasClosedBrowser } of results) {
    const ledgerIntent = intent && ledger.intents.get(intent.payment_intent_id);
    if (ledgerIntent && ledgerIntent.amountCents !== amountCents) {
      system.fail(`${amountCents} cents were given, and ${ledgerIntent.amountCents} requested`);
    }
    if (hasPaid && !hasSeenSuccess && !hasClosedBrowser) system.fail('a donor saw no success');
  }
  const events = await db
    .selectFrom('webhook_event')
    .select(['id', 'body'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { id } of donations) {
    const [event, ...more] = events.filter(({ body }) => body.includes(id));
    if (!event || more.length > 0) system.fail(`${id} has ${more.length + (event ? 1 : 0)} events`);
    if (!receiver.received.has(event.id)) system.fail(`the event of ${id} was not delivered`);
  }
  const receipts = await db
    .selectFrom('mail')
    .select('donation_id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'receipt')
    .execute();
  if (receipts.length !== donations.length) {
    system.fail(`${donations.length} donations have ${receipts.length} receipts`);
  }
  const recordedCents = donations.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const paidCents = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const totals = await sql<{ cents: number }>`
    select coalesce(sum(gross_cents), 0)::int as cents from donation_total
    where organization_id = ${organizationId} and campaign_id = '' and period = 'hour'`.execute(db);
  const totalCents = totals.rows[0]!.cents;
  if (recordedCents !== paidCents) system.fail(`${paidCents} paid, ${recordedCents} recorded`);
  if (totalCents !== paidCents) system.fail(`${paidCents} paid, and the totals say ${totalCents}`);
  return donations.length;
}
