import { createTransport } from 'nodemailer';
import type { Email } from '../db/column-types.ts';

/** Sends emails. An alternative to SMTP implements this interface. */
export interface MailTransport {
  /** @throws {MailRefused} if a retry cannot succeed; any other error is retried */
  send(email: Email): Promise<void>;
  close(): void;
}

/** The mail server rejected the recipient or the message permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * Timeout of each SMTP step in milliseconds. Together they must be shorter than the worker's lease.
 */
const TIMEOUT_MS = 20_000;
/** The same for `connect-embed doctor`, where a person waits. */
const CHECK_TIMEOUT_MS = 5_000;

const optionsOf = (url: string, timeoutMs: number) => ({
  url,
  connectionTimeout: timeoutMs,
  greetingTimeout: timeoutMs,
  socketTimeout: timeoutMs,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Sends emails by SMTP with a pool of connections. */
export function openSmtp(url: string): MailTransport {
  const transporter = createTransport({
    ...optionsOf(url, TIMEOUT_MS),
    pool: true,
    maxConnections: 4,
  });
  return {
    async send({ id: _, language, ...message }) {
      const headers = { 'Auto-Submitted': 'auto-generated', 'Content-Language': language };
      try {
        await transporter.sendMail({ ...message, headers });
      } catch (error) {
        throw isRejected(error) ? new MailRefused('The address was refused.') : error;
      }
    },
    close: () => transporter.close(),
  };
}

/**
 * Connects to the mail server and signs in, without sending an email.
 *
 * @throws {Error} with a `code` of the mail library, such as `EAUTH`
 */
export async function checkSmtp(url: string): Promise<void> {
  const transporter = createTransport(optionsOf(url, CHECK_TIMEOUT_MS));
  try {
    await transporter.verify();
  } finally {
    transporter.close();
  }
}

/**
 * A 5xx reply about the envelope or the message is permanent. A rejected SMTP password is a
 * configuration error and is retried.
 */
const isRejected = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
};

/**
 * Error codes of a failed email, for the log. The mail server's message is omitted, because it
 * usually contains the recipient's address.
 */
export function mailErrorCode(error: unknown): string {
  const { code, responseCode, name } = error as { [key: string]: string | number | undefined };
  return [name, code, responseCode].filter(Boolean).join(' ');
}
