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
  const paid = [...ledger.intents.values()].filter(({ status }) => status === 'succeeded');
  if (donations.length !== paid.length) {
    system.fail(`${paid.length} donations were paid, and ${donations.length} are recorded`);
  }
  const records = await readRecords(db, organizationId);
  for (const result of results) {
    const { intent, amountCents, hasPaid, hasSeenOutcome, hasClosedBrowser } = result;
    const ledgerIntent = intent && ledger.intents.get(intent.payment_intent_id);
    if (ledgerIntent && ledgerIntent.amountCents !== amountCents) {
      system.fail(`${amountCents} cents were given, and ${ledgerIntent.amountCents} requested`);
    }
    if (hasPaid && !hasSeenOutcome && !hasClosedBrowser) system.fail('a donor saw no outcome');
    if (ledgerIntent)
      checkRecord(system, result, ledgerIntent.status, records.get(intent.payment_intent_id));
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

/** What is stored about a payment intent, with the kinds of its emails. */
interface IntentRecord {
  id: string;
  status: string;
  mails: string[];
}

async function readRecords(db: Db, organizationId: string): Promise<Map<string, IntentRecord>> {
  const { rows } = await sql<IntentRecord>`
    select id, status, array(select kind from mail where payment_intent_id = payment_intent.id) as mails
    from payment_intent where organization_id = ${organizationId}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Checks that a payment intent has the processor's status, and that no email about its debit is missing or there twice. */
function checkRecord(
  system: SimulatedSystem,
  { isDebit, isReturned, hasPaid }: DonorResult,
  status: string,
  record: IntentRecord | undefined,
): void {
  // A crash may lose a payment intent that the donor has not tried to pay.
  const { id, status: recorded, mails } = record ?? { id: 'an intent', status: 'open', mails: [] };
  if (recorded !== status) system.fail(`${id} is ${status}, and ${recorded} is recorded`);
  const count = (kind: string) => mails.filter((mail) => mail === kind).length;
  // Neither email is sent if the bank had answered, or the donor had paid in another way, before its event arrived.
  const mostReturned = isReturned ? 1 : 0;
  const leastReturned = isReturned && status === 'failed' ? 1 : 0;
  const returned = count('donation_returned');
  if (returned < leastReturned || returned > mostReturned) {
    system.fail(`${id} has ${returned} emails about a returned debit`);
  }
  const onItsWay = count('donation_processing');
  if (onItsWay > (isDebit && hasPaid ? 1 : 0)) {
    system.fail(`${id} has ${onItsWay} emails about a debit on its way`);
  }
}
