import { sql, type Kysely } from 'kysely';

/**
 * Campaigns and funds can be archived and events cancelled, so that rows that reference them keep
 * their names.
 *
 * An archived or cancelled row must not be offered, so constraints keep the columns of the API
 * (`published`, `is_active`, `published_at`) consistent with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table fund add column archived_at timestamptz(3),
    add constraint fund_archived_is_unpublished check (archived_at is null or not published)`,
  `alter table campaign add column archived_at timestamptz(3),
    add constraint campaign_archived_is_inactive check (archived_at is null or not is_active)`,
  `alter table event add column cancelled_at timestamptz(3),
    add constraint event_cancelled_is_unpublished
      check (cancelled_at is null or published_at is null)`,
];
