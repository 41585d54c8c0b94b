import type { Lease } from '../db/leases.ts';
import type { Db } from '../db/schema.ts';
import { rejectOnAbort, startLeaseWorker, type LeaseWorker } from '../lib/lease-worker.ts';
import type { WorkerLog } from '../lib/log.ts';
import type { ServerSettings } from '../db/own-server.ts';
import type { MailConfig } from '../config.ts';
import { composeEmail, type ComposeOptions } from './compose-email.ts';
import { createDevelopmentTransport } from './development-mailbox.ts';
import { claimEmails, markFailed, markSent } from './queue.ts';
import { loadMailContext } from './mail-context.ts';
import type { ManageLinks } from './manage-link.ts';
import { mailErrorCode, MailRefused, openSmtp, type MailTransport } from './transport.ts';

/** Poll interval, and so the maximum delay of a new email in an idle worker. */
const POLL_MS = 500;
const SLOTS = 8;
/**
 * Longer than the SMTP timeouts together and the time to save the result, so that a live worker
 * does not lose its lease.
 */
const LEASE_MS = 90_000;

interface MailWorkerOptions {
  db: Db;
  config: MailConfig;
  server: ServerSettings;
  baseUrl: string;
  manageLinks: ManageLinks;
  log: WorkerLog;
}

/**
 * Starts the worker that sends queued emails. Returns undefined and logs a warning if no mail
 * transport is configured.
 */
export function startMailWorker({
  config,
  ...options
}: MailWorkerOptions): LeaseWorker | undefined {
  const transport = openTransport(config, options.db);
  if (transport) return runMailWorker({ ...options, transport, from: config.from });
  options.log.warn({}, 'SMTP_URL is not set: donors get no receipts.');
  return undefined;
}

/** @returns undefined if no mail transport is configured */
function openTransport({ smtpUrl, mailbox }: MailConfig, db: Db): MailTransport | undefined {
  if (smtpUrl) return openSmtp(smtpUrl);
  return mailbox ? createDevelopmentTransport(db) : undefined;
}

interface MailWorkerDeps extends ComposeOptions {
  server?: ServerSettings;
  db: Db;
  transport: MailTransport;
  log: WorkerLog;
}

/**
 * Starts a worker that sends the queued emails of the table `mail`. Its `stop()` also closes the
 * transport. The log contains ids, never an address or content.
 */
export function runMailWorker(deps: MailWorkerDeps): LeaseWorker {
  const { db, transport, log } = deps;

  async function sendEmail(claim: Lease, signal: AbortSignal): Promise<void> {
    const { id: mail_id, attempts: attempt } = claim;
    try {
      const context = await loadMailContext(db, mail_id, deps.server);
      const email = context && (await composeEmail(context, deps));
      if (!email) {
        await markFailed(db, claim, {
          error: 'There is no address, or nothing left of the donation.',
          final: true,
        });
        return;
      }
      await Promise.race([transport.send(email), rejectOnAbort(signal)]);
      await markSent(db, claim);
      log.info({ mail_id, attempt, kind: context.kind }, 'email sent');
    } catch (error) {
      // Whether the mail server accepted the email is unknown, so no outcome is saved. The email is
      // sent again when the lease has expired.
      if (signal.aborted) return;
      const final = error instanceof MailRefused;
      const reason = mailErrorCode(error);
      log.warn({ mail_id, attempt, reason, final }, 'email not sent');
      await markFailed(db, claim, { error: reason, final });
    }
  }

  return startLeaseWorker<Lease>({
    lanes: [{ slots: SLOTS, claim: (count) => claimEmails(db, count, LEASE_MS) }],
    pollMs: POLL_MS,
    attempt: sendEmail,
    onClaimError: (err) => log.warn({ err }, 'the email queue could not be read'),
    onAttemptError: (err, { id: mail_id }) =>
      log.warn({ err, mail_id }, 'the outcome of an email could not be saved'),
    close: async () => transport.close(),
  });
}
