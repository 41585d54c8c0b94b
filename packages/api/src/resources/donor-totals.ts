import { sql } from 'kysely';
import { isCounted } from '../db/counted.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { groupBy } from '../lib/group-by.ts';

/** Donation totals of one donor in one currency. */
export interface DonorTotals {
  contact_id: string;
  currency: string;
  count: number;
  gross_cents: number;
  refunded_cents: number;
  disputed_cents: number;
  /** Less refunds and disputes. */
  remaining_cents: number;
  last_at: Date;
}

/** Selects the totals of donors by currency. */
const selectTotals = (db: Db, organizationId: string, donorIds: readonly string[]) =>
  forOrganization(db, organizationId)
    .selectFrom('donation')
    .where('donation.contact_id', 'in', donorIds)
    .where(isCounted('donation', organizationId))
    .groupBy(['donation.contact_id', 'donation.currency'])
    .select([
      'donation.contact_id',
      'donation.currency',
      sql<number>`count(*)::float8`.as('count'),
      sql<number>`sum(donation.amount_cents)::float8`.as('gross_cents'),
      sql<number>`sum(donation.refunded_amount_cents)::float8`.as('refunded_cents'),
      sql<number>`sum(donation.disputed_amount_cents)::float8`.as('disputed_cents'),
      sql<number>`sum(donation.remaining_amount_cents)::float8`.as('remaining_cents'),
      sql<Date>`max(donation.created_at)`.as('last_at'),
    ])
    .$narrowType<{ contact_id: string }>();

/** Limits donations to those of a period, whose end is exclusive. */
export interface DonatedPeriod {
  donated_from: string;
  donated_to: string;
}

/**
 * Loads the donation totals of several donors, keyed by donor id.
 *
 * @param period of which donations are added up
 */
export async function loadDonorTotals(
  db: Db,
  organizationId: string,
  donorIds: readonly string[],
  period: { donated_from?: string | undefined; donated_to?: string | undefined } = {},
): Promise<Map<string, DonorTotals[]>> {
  if (donorIds.length === 0) return new Map();
  const { donated_from, donated_to } = period;
  let select = selectTotals(db, organizationId, donorIds).orderBy('donation.currency');
  if (donated_from) select = select.where('donation.created_at', '>=', new Date(donated_from));
  if (donated_to) select = select.where('donation.created_at', '<', new Date(donated_to));
  return groupBy(await select.execute(), ({ contact_id }) => contact_id);
}

/** Loads the donation totals of a donor by year and currency, the latest year first. */
export const loadDonorYears = (
  db: Db,
  organizationId: string,
  donorId: string,
  timeZone: string,
): Promise<(DonorTotals & { year: number })[]> =>
  selectTotals(db, organizationId, [donorId])
    .select(
      sql<number>`extract(year from donation.created_at at time zone ${timeZone})::int`.as('year'),
    )
    .groupBy('year')
    .orderBy('year', 'desc')
    .orderBy('donation.currency')
    .execute();
