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

/**
 * SQL of whether a transaction is a payout made by hand. One that no payout contains always is, because an automatic
 * payout contains itself; one in a payout may also be an automatic payout that failed, and is paid out again.
 */
export const IS_MANUAL_PAYOUT = sql<boolean>`(balance_transaction.reporting_category = 'payout'
  and not coalesce((
    select automatic from payout as made
    where made.processor_payout_id = balance_transaction.processor_source_id
      and made.organization_id = balance_transaction.organization_id
  ), balance_transaction.payout_id is not null))`;
