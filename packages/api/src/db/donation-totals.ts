import { sql, type RawBuilder } from 'kysely';
import { LOCKS, tryWithLock, withLock } from './advisory-lock.ts';
import { acrossOrganizations } from './organization-scope.ts';
import type { Db } from './schema.ts';

/** Number of changes that one statement adds to the totals. */
const BATCH_SIZE = 10_000;

const SUM_COLUMNS = [
  'donations',
  'gross_cents',
  'refunded_cents',
  'disputed_cents',
  'raised_cents',
  'known_fees',
  'fee_cents',
  'dispute_fee_cents',
  'net_cents',
];
const list = (write: (column: string) => string) => sql.raw(SUM_COLUMNS.map(write).join(', '));
const COLUMNS = list((column) => column);
const SUMS = list((column) => `sum(part.${column})`);

/** Adds the sums of `parts` to the totals. */
const addToTotals = (parts: RawBuilder<unknown>) => sql`
  insert into donation_total as total (organization_id, campaign_id, currency, livemode, period, starts_at, ${COLUMNS})
  ${parts}
  on conflict (organization_id, campaign_id, period, starts_at, currency, livemode) do update set
    ${list((column) => `${column} = total.${column} + excluded.${column}`)}`;

/**
 * The totals to which a donation belongs: those of its hour and of its day, both of all donations and of its
 * campaign.
 */
const totalsOf = (time: RawBuilder<Date>) => sql`lateral (
  select total_id, period, date_trunc(period, ${time}, 'UTC') as period_start
  from (values (''), (campaign_id)) as campaign (total_id), (values ('hour'), ('day')) as each (period)
  where total_id is not null) as counted`;

/**
 * Moves the changes of totals into `donation_total`: docs/decisions/0109-donation-totals.md
 *
 * One process at a time does so, because two would wait for each other's rows.
 */
export async function storeTotals(db: Db): Promise<void> {
  await tryWithLock(db, LOCKS.donationTotals, async (tx) => {
    while ((await storeBatch(tx)) === BATCH_SIZE);
  });
}

/** @returns the number of changes that were moved */
async function storeBatch(db: Db): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with part as (
      delete from donation_total_change where id in (
        select id from donation_total_change order by id limit ${BATCH_SIZE})
      returning *),
    added as (${addToTotals(sql`
      select organization_id, total_id, currency, livemode, period, period_start, ${SUMS}
      from part, ${totalsOf(sql`starts_at`)}
      group by organization_id, total_id, currency, livemode, period, period_start`)})
    select count(*)::int as moved from part`.execute(acrossOrganizations(db));
  return rows[0]!.moved;
}

/** A total that differed from the sums of its donations. */
export interface TotalDifference {
  /** Empty for the total of all donations. */
  campaign_id: string;
  currency: string;
  livemode: boolean;
  period: 'hour' | 'day';
  starts_at: Date;
}

/**
 * Compares the totals of an organization with its donations, and corrects them.
 *
 * @param from compares the days that end after this time
 * @param repair false only returns the differences
 */
export const compareTotals = (
  db: Db,
  organizationId: string,
  { from, repair }: { from: Date; repair: boolean },
): Promise<TotalDifference[]> =>
  withLock(db, LOCKS.donationTotals, async (tx) => {
    const start = sql`date_trunc('day', ${from}::timestamptz, 'UTC')`;
    const subtracted = list((column) => `-${column}`);
    const { rows } = await sql<TotalDifference>`
      with part as (
        select total_id, currency, livemode, period, period_start, 1 as donations,
          amount_cents as gross_cents, refunded_amount_cents as refunded_cents,
          disputed_amount_cents as disputed_cents,
          remaining_amount_cents as raised_cents, num_nonnulls(fee_cents) as known_fees,
          coalesce(fee_cents, 0) as fee_cents, dispute_fee_cents, coalesce(net_amount_cents, 0) as net_cents
        from donation, ${totalsOf(sql`created_at`)}
        where organization_id = ${organizationId} and created_at >= ${start}
        union all
        select campaign_id, currency, livemode, period, starts_at, ${subtracted} from donation_total
        where organization_id = ${organizationId} and starts_at >= ${start}
        union all
        select total_id, currency, livemode, period, period_start, ${subtracted}
        from donation_total_change, ${totalsOf(sql`starts_at`)}
        where organization_id = ${organizationId} and starts_at >= ${start}),
      difference as (
        select total_id, currency, livemode, period, period_start,
          ${list((column) => `sum(${column}) as ${column}`)}
        from part
        group by total_id, currency, livemode, period, period_start
        having ${sql.join(
          SUM_COLUMNS.map((column) => sql.raw(`sum(${column}) <> 0`)),
          sql` or `,
        )}),
      corrected as (${addToTotals(sql`
        select ${organizationId}, total_id, currency, livemode, period, period_start, ${COLUMNS}
        from difference where ${repair}`)})
      select total_id as campaign_id, currency, livemode, period, period_start as starts_at from difference
      order by starts_at, period, campaign_id, currency, livemode`.execute(tx);
    return rows;
  });
