import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/**
 * Selects the donations of an organization that count, in its own currency. Goals and totals of campaigns and forms
 * are in this currency, so donations in another one are not part of them.
 */
export const selectInOwnCurrency = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('donation')
    .where(isCounted('donation', organizationId))
    .innerJoin('organization', (join) =>
      join
        .onRef('organization.id', '=', 'donation.organization_id')
        .onRef('organization.currency', '=', 'donation.currency'),
    );

/** SQL sum of donations less refunds and disputes. */
export const RAISED_CENTS = sql<number>`coalesce(sum(donation.remaining_amount_cents), 0)::float8`;

/**
 * SQL of the totals of each donor's donations, grouped by `donation.contact_id`. All donations without a
 * donor are one group.
 */
export const DONOR_TOTALS = [
  'donation.contact_id',
  RAISED_CENTS.as('raised_cents'),
  sql<number>`count(*)::int`.as('donations'),
] as const;

/**
 * SQL that adds up `DONOR_TOTALS`. Donations without a donor do not count for `donors`. Grouped by donor
 * first, because PostgreSQL sorts all donations for `count(distinct contact_id)`.
 */
export const TOTALS = [
  sql<number>`coalesce(sum(raised_cents), 0)::float8`.as('raised_cents'),
  sql<number>`coalesce(sum(donations), 0)::int`.as('donations'),
  sql<number>`count(contact_id)::int`.as('donors'),
] as const;
