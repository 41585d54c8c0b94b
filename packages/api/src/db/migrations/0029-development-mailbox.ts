import { sql, type Kysely } from 'kysely';

/**
 * E-mails as they were sent, for the mailbox of a development machine:
 * docs/decisions/0038-email.md
 *
 * Empty if mail is sent by SMTP. A row is deleted with its row in `mail`, after 30 days.
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
