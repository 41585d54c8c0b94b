import { sql } from 'kysely';

/**
 * SQL condition of recurring donations that Stripe still charges although their donor was erased, which
 * happens without access to the Stripe account: docs/decisions/0101-donor-data.md
 */
export const CHARGED_AFTER_ERASURE = sql<boolean>`
  recurring_plan.status in ('active', 'past_due')
  and (recurring_plan.organization_id, recurring_plan.id) in (
    select donor.organization_id, donation.plan_id
    from donor join donation on donation.contact_id = donor.id
    where donor.erased_at is not null)`;
