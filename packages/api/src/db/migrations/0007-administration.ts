import { sql, type Kysely } from 'kysely';

/**
 * What administering adds to campaigns, funds and events: they can be put away, or called off,
 * without what points at them losing its name.
 *
 * What is archived or cancelled is not offered to anybody, so the columns that the API answers
 * with say so too, and the database holds both to one another.
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
