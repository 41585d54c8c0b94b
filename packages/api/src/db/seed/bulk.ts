import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import { storeTotals } from '../donation-totals.ts';
import { seedReference } from '../../lib/format-reference.ts';
import { paymentMethodOf } from './donations.ts';
import { createRandom, type Random } from './random.ts';
import { inventDonor, type SeedDonor } from './donors.ts';

const YEARS = 5;
const YEAR_MS = 365.25 * 86_400_000;
/** Average number of donations of one donor. */
const DONATIONS_PER_DONOR = 8;
/** Number of rows that one statement inserts. Each column is one array parameter. */
const BATCH_SIZE = 10_000;
/** Number of the first donor and donation, above the numbers in the demonstration data. */
const FIRST_NUMBER = 1_000_000;
const AMOUNTS = [1000, 1500, 2500, 2500, 5000, 5000, 5000, 7500, 10_000, 10_000, 25_000, 100_000];

interface BulkOptions {
  organizationId: string;
  count: number;
  now?: Date;
  /** Receives the number of donations written so far. */
  onProgress?: (written: number) => void;
}

/**
 * Adds many invented donations and their donors to an organization, to test large lists.
 *
 * They are written in the order of time, as donations are in use. In random order, each would change a page of its
 * own in every index, and most of those pages are not in PostgreSQL's memory when there are a million donations.
 */
export async function seedBulkDonations(db: Db, options: BulkOptions): Promise<void> {
  const { organizationId, count, now = new Date(), onProgress } = options;
  const random = createRandom(count);
  const funds = await db
    .selectFrom('fund')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  const fundIds = [null, ...funds.map(({ id }) => id)];
  for (let written = 0; written < count;) {
    const rows = Math.min(BATCH_SIZE, count - written);
    const timeAt = (row: number) =>
      donationTime((written + row + random.next()) / count, now.getTime());
    const batch = { random, organizationId, fundIds, now, rows, written, timeAt };
    await writeBatch(db, batch);
    written += rows;
    onProgress?.(written);
  }
  await storeTotals(db);
  await sql`analyze donor, donation`.execute(db);
  // Every call updates the totals of all years, which in use are written in the order of time.
  await sql`vacuum (full, analyze) donation_total, donation_total_change`.execute(db);
}

interface Batch {
  random: Random;
  organizationId: string;
  fundIds: readonly (string | null)[];
  now: Date;
  rows: number;
  written: number;
  /** Returns the time of the donation in this row of the batch. */
  timeAt(row: number): Date;
}

/**
 * Returns the time at which a share of all donations had been made. The square makes recent donations more
 * frequent, because the organization grows.
 */
const donationTime = (share: number, nowMs: number) =>
  new Date(nowMs - (1 - share) ** 2 * YEARS * YEAR_MS);

async function writeBatch(db: Db, batch: Batch): Promise<void> {
  const { random, organizationId, rows, written } = batch;
  const people = Array.from({ length: Math.ceil(rows / DONATIONS_PER_DONOR) }, (_, index) =>
    inventDonor(random, organizationId, FIRST_NUMBER + written + index),
  );
  await db.transaction().execute(async (tx) => {
    await writeDonors(tx, batch, people);
    await writeDonations(tx, batch, people);
  });
}

/** Inserts donors with a creation time before any of their donations. */
async function writeDonors(tx: Db, { organizationId, now }: Batch, people: SeedDonor[]) {
  const since = new Date(now.getTime() - YEARS * YEAR_MS);
  await sql`
    insert into donor (id, organization_id, email, first_name, last_name, source, created_at, updated_at)
    select id, ${organizationId}, email, first_name, last_name, 'import', ${since}, ${since}
    from unnest(
      ${people.map(({ id }) => id)}::text[], ${people.map(({ email }) => email)}::text[],
      ${people.map((person) => person.first_name)}::text[], ${people.map((person) => person.last_name)}::text[]
    ) as seeded (id, email, first_name, last_name)`.execute(tx);
}

async function writeDonations(tx: Db, batch: Batch, people: SeedDonor[]): Promise<void> {
  const { random, organizationId, fundIds, rows, written, timeAt } = batch;
  const donations = Array.from({ length: rows }, (_, index) => {
    const reference = seedReference(FIRST_NUMBER + written + index);
    const paid = paymentMethodOf(written + index);
    const amount = random.pick(AMOUNTS);
    const donor = random.pick(people);
    const refunded = random.probability(0.01) ? amount : 0;
    const at = timeAt(index);
    const id = random.id('don');
    return { id, reference, paid, amount, donor, refunded, at, fund: random.pick(fundIds) };
  });
  const column = <Value>(read: (donation: (typeof donations)[number]) => Value) =>
    donations.map(read);
  await sql`
    insert into donation (id, organization_id, amount_cents, fee_cents, currency, refund_status,
      refunded_amount_cents, donor_name, donor_email, contact_id, fund_id, source, paid_at, created_at,
      reference, payment_method, card_brand)
    select id, ${organizationId}, amount, round(amount * 0.029) + 30, 'usd',
      case when refunded > 0 then 'full' else 'none' end, refunded, name, email, contact, fund,
      'import', at, at, reference, payment_method, card_brand
    from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ amount }) => amount)}::bigint[],
      ${column(({ refunded }) => refunded)}::bigint[],
      ${column(({ donor }) => `${donor.first_name} ${donor.last_name}`)}::text[],
      ${column(({ donor }) => donor.email)}::text[], ${column(({ donor }) => donor.id)}::text[],
      ${column(({ fund }) => fund)}::text[], ${column(({ at }) => at)}::timestamptz[],
      ${column(({ reference }) => reference)}::text[],
      ${column(({ paid }) => paid.payment_method)}::text[],
      ${column(({ paid }) => paid.card_brand)}::text[]
    ) as seeded (id, amount, refunded, name, email, contact, fund, at, reference, payment_method,
      card_brand)`.execute(tx);
}
