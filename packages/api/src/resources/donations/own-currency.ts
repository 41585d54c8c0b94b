import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/**
 * Selects the donations of an organization in its own currency. Goals and totals of campaigns and forms
 * are in this currency, so donations in another one are not part of them.
 */
export const selectInOwnCurrency = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('donation')
    .innerJoin('organization', (join) =>
      join
        .onRef('organization.id', '=', 'donation.organization_id')
        .onRef('organization.currency', '=', 'donation.currency'),
    );

/**
 * SQL sum of donations less refunds and disputes. A donation that was both refunded and disputed
 * counts as 0, not as a negative amount.
 */
export const RAISED_CENTS = sql<number>`coalesce(sum(greatest(
  amount_cents - refunded_amount_cents - disputed_amount_cents, 0)), 0)::float8`;

/** SQL of the totals of several donations. `donors` counts those who entered an email address. */
export const TOTAL_COLUMNS = [
  RAISED_CENTS.as('raised_cents'),
  sql<number>`count(*)::int`.as('donations'),
  sql<number>`count(distinct donation.contact_id)::int`.as('donors'),
] as const;
