import { sql, type Kysely } from 'kysely';

/**
 * An index that contains all columns of a campaign's sum, so that no donation row is read:
 * docs/decisions/0055-campaign-progress.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index donation_of_campaign on donation (campaign_id, currency)
        include (amount_cents, refunded_amount_cents, disputed_amount_cents)
        where campaign_id is not null`,
    )
    .execute(db);
}
