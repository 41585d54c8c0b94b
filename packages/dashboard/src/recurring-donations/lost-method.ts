import { sql } from 'kysely';

/**
 * SQL condition of recurring donations that wait for another payment method, because the donor or the bank ended the
 * permission to charge the saved one. One whose payment has failed is past due instead.
 */
export const NEEDS_PAYMENT_METHOD = sql<boolean>`
  recurring_plan.status in ('active', 'paused')
  and recurring_plan.payment_method_lost_at is not null`;
