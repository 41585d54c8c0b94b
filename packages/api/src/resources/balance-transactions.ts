import { sql } from 'kysely';
import type { OrganizationScope } from '../db/organization-scope.ts';

const DONATION_ID = sql<string>`coalesce(balance_transaction.donation_id, (
  select id from donation as paid
  where paid.processor_payment_intent_id = balance_transaction.processor_payment_intent_id))`;

/**
 * Selects the transactions of payouts with their donations. A donation is looked up on each read, because a payout may
 * be recorded before the donations in it.
 */
export const selectBalanceTransactions = (organization: OrganizationScope) =>
  organization
    .selectFrom('balance_transaction')
    .leftJoin('donation', (join) =>
      join
        .onRef('donation.organization_id', '=', 'balance_transaction.organization_id')
        .on('donation.id', '=', DONATION_ID),
    );

/** SQL amount that a transaction adds to its payout. */
export const TRANSACTION_NET_CENTS = sql<number>`balance_transaction.amount_cents - balance_transaction.fee_cents`;
