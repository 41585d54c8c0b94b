import type { Db } from '../db/schema.ts';
import type { MailTransport } from './transport.ts';
import type { Email } from '../db/column-types.ts';

/**
 * Mail transport that sends nothing and stores each email as rendered, for `/dev/mailbox`.
 *
 * It is used only on a development machine without a mail server (`config.mail.mailbox`), because a
 * stored email contains a donor's name, address and manage link. Emails sent by SMTP are not
 * stored.
 */
export const createDevelopmentTransport = (db: Db): MailTransport => ({
  async send(email) {
    const emailJson = JSON.stringify(email);
    await db
      .insertInto('development_mail')
      .values({ mail_id: email.id, email: emailJson })
      // A worker that stopped after storing the email sends it again. The last attempt is kept, as
      // with SMTP.
      .onConflict((conflict) => conflict.column('mail_id').doUpdateSet({ email: emailJson }))
      .execute();
  },
  close: () => {},
});

/**
 * Reads the stored email.
 *
 * @returns undefined if it was not sent yet or was removed
 */
export async function readSentMail(db: Db, id: string): Promise<Email | undefined> {
  const row = await db
    .selectFrom('development_mail')
    .select('email')
    .where('mail_id', '=', id)
    .executeTakeFirst();
  return row?.email;
}
