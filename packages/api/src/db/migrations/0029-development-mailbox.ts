import { sql, type Kysely } from 'kysely';

/**
 * Mails as they were sent, for the mailbox of a development machine: docs/decisions/0089-development-mailbox.md
 *
 * Nothing is stored here where mail is sent by SMTP. A row ends with its mail, after 30 days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table development_mail (
        mail_id text collate "C" primary key references mail on delete cascade,
        email jsonb not null,
        sent_at timestamptz(3) not null default clock_timestamp()
      )`,
    )
    .execute(db);
}
