import { formatDate } from '@connect-embed/contract';
import { countWorkers } from '../db/service-processes.ts';
import { checkSmtp, mailErrorCode } from '../mail/transport.ts';
import type { Deps } from '../deps.ts';
import { passed, warning, failure, type CheckResult } from './check-result.ts';

/** Checks that a worker runs. Without one, donations are taken, but no receipt or webhook event is sent. */
export async function checkWorker({ db }: Pick<Deps, 'db'>): Promise<CheckResult> {
  const { running, lastSeen } = await countWorkers(db);
  if (running > 0) return passed(`Worker: ${running} running.`);
  const at = lastSeen && formatDate(lastSeen, 'exact', { timeZone: 'UTC', locale: 'en-US' });
  const problem = at ? `the last one was seen at ${at} (UTC)` : 'none was seen in the last day';
  return failure(
    `Worker: none is running; ${problem}.`,
    'Start a process with the role worker or all; until then no receipts and webhook events are sent.',
  );
}

/** Checks that the mail server accepts the connection and the password. Sends no email. */
export async function checkMail({ mailConfig }: Pick<Deps, 'mailConfig'>): Promise<CheckResult> {
  const { smtpUrl, mailbox } = mailConfig;
  if (!smtpUrl) {
    if (mailbox) return passed('Email: shown at /dev/mailbox, because this is development.');
    return warning('Email: SMTP_URL is not set, so donors get no receipts.', 'Set SMTP_URL.');
  }
  const { hostname } = new URL(smtpUrl);
  try {
    await checkSmtp(smtpUrl);
    return passed(`Email: ${hostname} accepts the connection.`);
  } catch (error) {
    // The message of the mail server can contain the user name, so only codes are printed.
    const isRejected = (error as { code?: string }).code === 'EAUTH';
    const problem = isRejected ? 'rejects the user name or password' : 'cannot be reached';
    return failure(
      `Email: SMTP_URL: ${hostname} ${problem} (${mailErrorCode(error)}).`,
      'Correct SMTP_URL, or start the mail server.',
    );
  }
}
