import { sql, type Expression } from 'kysely';

/** A table whose records are live or tests. */
type MarkedTable =
  | 'donation'
  | 'donation_total'
  | 'donation_total_change'
  | 'payment_intent'
  | 'payout'
  | 'recurring_plan';

/**
 * SQL condition of the records that count: those that are live, and all of an organization that has never been live
 * (docs/decisions/0125-test-and-live.md). PostgreSQL reads the organization once for a statement.
 */
export const isCounted = (table: MarkedTable, organizationId: string | Expression<string>) =>
  sql<boolean>`(${sql.ref(`${table}.livemode`)}
    or (select live_since is null from organization where id = ${organizationId}))`;
