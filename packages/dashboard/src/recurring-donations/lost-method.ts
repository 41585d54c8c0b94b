import { sql, type Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';

/**
 * SQL condition of recurring donations that wait for another payment method, because the donor or the bank ended the
 * permission to charge the saved one. One whose payment has failed is past due instead.
 */
export const NEEDS_PAYMENT_METHOD = sql<boolean>`
  recurring_plan.status in ('active', 'paused')
  and recurring_plan.payment_method_lost_at is not null`;

/** Whether the saved payment method of a running plan can no longer be charged. */
export const needsOtherMethod = ({
  status,
  payment_method_lost_at,
}: Pick<Selectable<Database['recurring_plan']>, 'status' | 'payment_method_lost_at'>) =>
  payment_method_lost_at !== null && (status === 'active' || status === 'paused');
