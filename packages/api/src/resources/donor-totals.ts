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

/** Loads the donation totals of several donors, keyed by donor id. */
export async function loadDonorTotals(
  db: Db,
  organizationId: string,
  donorIds: readonly string[],
): Promise<Map<string, DonorTotals[]>> {
  if (donorIds.length === 0) return new Map();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .where('donation.contact_id', 'in', donorIds)
    .where(isCounted('donation', organizationId))
    .groupBy(['donation.contact_id', 'donation.currency'])
    .orderBy('donation.currency')
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
    .$narrowType<{ contact_id: string }>()
    .execute();
  return groupBy(rows, ({ contact_id }) => contact_id);
}
