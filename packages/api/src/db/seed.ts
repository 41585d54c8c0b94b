import type { Insertable } from 'kysely';
import type { Database, Db } from './schema.ts';
import { withLock, LOCKS, lockUntilCommit } from './advisory-lock.ts';
import { acrossOrganizations } from './organization-scope.ts';
import { batchesOf } from '../lib/batches.ts';
import { EVENTS, TICKET_TYPES } from './seed/events.ts';
import { inventDonorsAndDonations } from './seed/donations.ts';
import { CAMPAIGNS, FUNDS, LANTERN_FUND, ORGANIZATIONS } from './seed/organizations.ts';
import { createSeedForms, createSeedSites, WEBSITE_FORM_ID } from './seed/forms.ts';
import { inventPayments } from './seed/payments.ts';
import { inventRefundsAndDisputes } from './seed/refunds-and-disputes.ts';
import { inventPayouts } from './seed/payouts.ts';
import { inventSubscriptions } from './seed/subscriptions.ts';
import type { SeedDonor } from './seed/donors.ts';
import { inventRegistrations } from './seed/registrations.ts';

export const DEMO_ORGANIZATION_ID = 'org_harbor';

/** Rows per statement. PostgreSQL allows 65,535 parameters in a statement. */
const BATCH_SIZE = 500;

/**
 * Fills an empty database with demonstration data: two organizations, eighteen months of donations,
 * and events.
 *
 * All people are invented. All values depend only on `now`, so that the data is recent and otherwise
 * always the same. A database with an organization is not changed.
 *
 * @returns true if data was written
 */
export async function seedIfEmpty(db: Db, now = new Date()): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await lockUntilCommit(tx, LOCKS.seedRows);
    if (await tx.selectFrom('organization').select('id').limit(1).executeTakeFirst()) return false;
    await insertAll(tx, 'organization', ORGANIZATIONS(now));
    await insertAll(tx, 'fund', FUNDS(now));
    await insertAll(tx, 'campaign', CAMPAIGNS(now));
    await seedForms(tx, now);
    await seedDonations(tx, now);
    return true;
  });
}

/**
 * Adds bank debits whose money is on its way to the demonstration data, and the records of refunds and disputes. Tests
 * start without them, because debits are in the sums of what is on its way.
 */
export async function seedPayments(db: Db, now = new Date()): Promise<void> {
  const donors = await acrossOrganizations(db)
    .selectFrom('donor')
    .selectAll()
    .where('organization_id', '=', DEMO_ORGANIZATION_ID)
    .orderBy('id')
    .execute();
  await insertAll(db, 'payment_intent', inventPayments(donors, now));
  const donations = await acrossOrganizations(db).selectFrom('donation').selectAll().execute();
  const { refunds, disputes } = inventRefundsAndDisputes(donations, now);
  await insertAll(db, 'refund', refunds);
  await insertAll(db, 'donation_dispute', disputes);
}

/** Runs `seed` with a lock, so that one process at a time runs it. */
export const seedWithLock = (db: Db, seed: () => Promise<void>): Promise<void> =>
  withLock(db, LOCKS.seed, seed);

async function seedForms(tx: Db, now: Date): Promise<void> {
  const { forms, versions } = createSeedForms(now);
  await insertAll(tx, 'allowed_site', createSeedSites(now));
  await insertAll(tx, 'form', forms);
  await insertAll(tx, 'form_version', versions);
  // A form refers to its live version, which must exist first.
  for (const { form_id, version } of versions) {
    await acrossOrganizations(tx)
      .updateTable('form')
      .set({ live_version: version })
      .where('id', '=', form_id)
      .execute();
  }
}

async function seedDonations(tx: Db, now: Date): Promise<void> {
  const harbor = inventDonorsAndDonations({
    organizationId: DEMO_ORGANIZATION_ID,
    now,
    seed: 1,
    donors: 200,
    days: 545,
    fundIds: ['fund_general', 'fund_meals', 'fund_kitchen'],
    campaigns: CAMPAIGNS(now),
    formId: WEBSITE_FORM_ID,
  });
  const lantern = inventDonorsAndDonations({
    organizationId: 'org_lantern',
    now,
    seed: 2,
    donors: 8,
    days: 120,
    fundIds: [LANTERN_FUND],
    campaigns: [],
  });
  const payouts = [
    inventPayouts(DEMO_ORGANIZATION_ID, harbor.donations, now, 20),
    inventPayouts('org_lantern', lantern.donations, now, 3),
  ];
  for (const { payouts: rows } of payouts) await insertAll(tx, 'payout', rows);
  for (const { donors, donations } of [harbor, lantern]) {
    await insertAll(tx, 'donor', donors);
    await insertAll(tx, 'recurring_plan', inventSubscriptions(donations, now));
    await insertAll(tx, 'donation', donations);
  }
  for (const { transactions } of payouts) await insertAll(tx, 'balance_transaction', transactions);
  await seedEvents(tx, now, { org_harbor: harbor.donors, org_lantern: lantern.donors });
}

/** Inserts events and registrations. The registered people are donors of the organization. */
async function seedEvents(
  tx: Db,
  now: Date,
  people: Record<string, readonly SeedDonor[]>,
): Promise<void> {
  const events = EVENTS(now);
  await insertAll(tx, 'event', events);
  await insertAll(tx, 'event_ticket_type', TICKET_TYPES);
  for (const event of events.filter((event) => event.published_at ?? event.cancelled_at)) {
    const tickets = TICKET_TYPES.filter(({ event_id }) => event_id === event.id);
    const price = event.price_cents ?? event.pwyw_suggested_cents ?? 0;
    const prices = tickets.length
      ? tickets.map(({ id, price_cents }) => ({ cents: price_cents, ticket_type_id: id }))
      : [{ cents: price, ticket_type_id: null }];
    const options = { event, people: people[event.organization_id] ?? [], prices };
    const count = event.organization_id === DEMO_ORGANIZATION_ID ? 32 : 6;
    await insertAll(tx, 'registration', inventRegistrations({ ...options, count }, now));
  }
}

async function insertAll<Table extends keyof Database>(
  tx: Db,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
): Promise<void> {
  for (const batch of batchesOf(rows, BATCH_SIZE)) {
    await tx.insertInto(table).values(batch).execute();
  }
}
