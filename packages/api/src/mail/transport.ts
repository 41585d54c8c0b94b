import { createTransport } from 'nodemailer';

/** A mail as it leaves. */
export interface Email {
  /** Of the row in `mail`, where it has one. */
  id: string;
  from: { name: string; address: string };
  to: { name: string; address: string };
  replyTo: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** Language of its words. */
  language: string;
  /** The same for every attempt at the same mail, so that a mailbox can tell a repetition. */
  messageId: string;
}

/** Takes letters away. Another way than SMTP is another one of these. */
export interface MailTransport {
  /** @throws {MailRefused} when no further attempt can help; anything else is tried again */
  send(email: Email): Promise<void>;
  close(): void;
}

/** The letter cannot be taken to that address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** A mail server that does not answer must not hold a mail for longer than its lease. */
const TIMEOUT_MS = 20_000;

/** By SMTP, over a few connections that are kept. */
export function openSmtp(url: string): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id: _, language, ...letter }) {
      const headers = { 'Auto-Submitted': 'auto-generated', 'Content-Language': language };
      try {
        await transporter.sendMail({ ...letter, headers });
      } catch (error) {
        throw isRejected(error) ? new MailRefused('The address was refused.') : error;
      }
    },
    close: () => transporter.close(),
  };
}

/** 5xx about the envelope or the message; a refused password is ours to mend, and tried again. */
const isRejected = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
};
