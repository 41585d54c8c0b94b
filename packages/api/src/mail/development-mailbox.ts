import type { Db } from '../db/database.ts';
import type { Email, MailTransport } from './transport.ts';

/**
 * Sends nothing and stores every mail as it was rendered, for `/dev/mailbox`.
 *
 * Only a development machine without a mail server has it (`config.mail.mailbox`): a stored mail holds
 * a donor's name, address and manage link. A mail that goes out by SMTP is stored nowhere.
 */
export const storeForDevelopment = (db: Db): MailTransport => ({
  async send(letter) {
    const email = JSON.stringify(letter);
    await db
      .insertInto('development_mail')
      .values({ mail_id: letter.id, email })
      // A worker that stopped after storing the mail sends it again. The last attempt is kept, as with SMTP.
      .onConflict((conflict) => conflict.column('mail_id').doUpdateSet({ email }))
      .execute();
  },
  close: () => {},
});

/** @returns the mail as it was sent; undefined if it was not sent or was removed since */
export async function readSentMail(db: Db, id: string): Promise<Email | undefined> {
  const row = await db
    .selectFrom('development_mail')
    .select('email')
    .where('mail_id', '=', id)
    .executeTakeFirst();
  return row?.email;
}
