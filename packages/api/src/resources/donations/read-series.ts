import type { DonationSeries, DonationSeriesQuery, DonationSums } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { filterDonations } from './donation-filters.ts';
import { selectParts, SUM_COLUMNS } from './sums.ts';
import { createBuckets, chooseInterval, type Bucket, type Span } from './buckets.ts';

/**
 * Loads the sums of donations by day, week, month or year: docs/decisions/0045-filters-search-and-sums.md
 *
 * The bounds of the buckets are computed here, because they depend on time zone rules. PostgreSQL
 * assigns each donation to its bucket in one pass of the index by time.
 *
 * @throws {ConnectError} `invalid_request` with param `interval` or `time_zone`
 */
export async function loadDonationSeries(
  db: Db,
  organizationId: string,
  {
    interval: requestedInterval,
    time_zone,
    ...filters
  }: Filters & Pick<DonationSeriesQuery, 'interval' | 'time_zone'>,
): Promise<DonationSeries> {
  const dataBounds = await loadBounds(db, organizationId, filters);
  const zone = time_zone ?? dataBounds.time_zone;
  const span = resolveSpan(filters, dataBounds);
  const interval = requestedInterval ?? chooseInterval(span);
  const buckets = createBuckets(span, interval, zone);
  const sums = buckets.length ? await sumBuckets(db, organizationId, filters, buckets) : [];
  const data = clipToFilters(buckets, filters).map(({ starts_on, fromMs, toMs }, index) => ({
    starts_on,
    created_from: new Date(fromMs).toISOString(),
    created_to: new Date(toMs).toISOString(),
    sums: sums.filter(({ bucket }) => bucket === index + 1).map(({ bucket: _, ...sum }) => sum),
  }));
  return { object: 'donation_series', interval, time_zone: zone, data };
}

type Filters = Parameters<typeof filterDonations>[2];

interface Bounds {
  time_zone: string;
  /** Creation times of the oldest and the newest donation. */
  oldest: Date | null;
  newest: Date | null;
}

/**
 * Loads the time zone and the times of the oldest and the newest donation, which are the first and
 * the last entry of the index by time.
 */
const loadBounds = (db: Db, organizationId: string, { livemode }: Filters): Promise<Bounds> => {
  const selectTime = (bound: 'min' | 'max') =>
    filterDonations(db, organizationId, { livemode }).select((eb) =>
      eb.fn<Date | null>(bound, ['donation.created_at']).as('time'),
    );
  return db
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select(['time_zone', selectTime('min').as('oldest'), selectTime('max').as('newest')])
    .executeTakeFirstOrThrow();
};

/**
 * Returns the period of the filters. The default period starts with the oldest donation, and ends
 * now or just after the newest donation if that is later.
 */
function resolveSpan({ created_from, created_to }: Filters, { oldest, newest }: Bounds): Span {
  const now = Date.now();
  const toMs = created_to ? Date.parse(created_to) : Math.max(now, (newest?.getTime() ?? 0) + 1);
  const fromMs = created_from ? Date.parse(created_from) : (oldest?.getTime() ?? toMs);
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** Clips the first and the last bucket to the period of the filters. */
const clipToFilters = (buckets: Bucket[], { created_from, created_to }: Filters): Bucket[] =>
  buckets.map(({ starts_on, fromMs, toMs }) => ({
    starts_on,
    fromMs: created_from ? Math.max(fromMs, Date.parse(created_from)) : fromMs,
    toMs: created_to ? Math.min(toMs, Date.parse(created_to)) : toMs,
  }));

/** The query for the sums, by bucket (counted from 1) and currency. */
export const seriesQuery = (
  db: Db,
  organizationId: string,
  filters: Filters,
  buckets: readonly Bucket[],
) => {
  const edgesMs = buckets.map(({ fromMs }) => fromMs);
  const edges = edgesMs.map((timeMs) => new Date(timeMs).toISOString());
  const bucket = sql<number>`width_bucket(part.starts_at, ${edges}::timestamptz[])`;
  return selectParts(db, organizationId, filters, edgesMs)
    .groupBy(sql.ref('bucket'))
    .select([bucket.as('bucket'), ...SUM_COLUMNS]);
};

const sumBuckets = (
  ...args: Parameters<typeof seriesQuery>
): Promise<(DonationSums & { bucket: number })[]> => seriesQuery(...args).execute();
