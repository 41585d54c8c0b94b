import { sql, type Kysely } from 'kysely';

/**
 * An index for a donor's donations and their sum, which the dashboard's donor pages show. Without it,
 * they read every donation of the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index donation_of_donor on donation (contact_id, created_at, id)
        include (organization_id, currency, amount_cents, refunded_amount_cents)
        where contact_id is not null`,
    )
    .execute(db);
}
