import { sql, type Kysely } from 'kysely';

/**
 * Reads the donations of a donor, and what they come to, from inside an index: the pages of donors in the
 * dashboard ask for both, and read every donation of the organization without it.
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
