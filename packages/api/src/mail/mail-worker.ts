import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/schema.ts';
import type { WorkerLog } from '../lib/log.ts';
import { composeEmail, type ComposeOptions } from './compose-email.ts';
import { claimEmails, markFailed, markSent, type Claim } from './queue.ts';
import { mailErrorCode } from './mail-error-code.ts';
import { loadMailContext } from './mail-context.ts';
import { MailRefused, type MailTransport } from './transport.ts';

/**
 * Pause between polls while the queue is empty, in milliseconds. It limits the delay of a new
 * e-mail.
 */
const POLL_MS = 500;
const ERROR_PAUSE_MS = 1_000;
const BATCH_SIZE = 8;
/**
 * Longer than the SMTP timeouts together and the time to save the result, so that a live worker
 * does not lose its lease.
 */
const LEASE_MS = 90_000;
/** Time for e-mails in progress to finish when the process stops. Others are sent again later. */
const STOP_GRACE_MS = 5_000;

export interface MailWorkerDeps extends ComposeOptions {
  db: Db;
  transport: MailTransport;
  log: WorkerLog;
}

/**
 * Worker that sends the queued e-mails of the table `mail` until it is stopped. Several processes
 * can run it simultaneously.
 *
 * Delivery is at least once: if a process dies, its lease expires and another worker sends the
 * e-mail again. The log contains ids, never an address or content.
 */
export class MailWorker {
  readonly #deps: MailWorkerDeps;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(deps: MailWorkerDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#running, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
    this.#deps.transport.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const sentCount = await this.#sendBatch().catch(async (err: unknown) => {
        this.#deps.log.warn({ err }, 'the email queue could not be read');
        await sleep(ERROR_PAUSE_MS, 0, { signal }).catch(() => {});
        return 0;
      });
      if (sentCount === 0) await sleep(POLL_MS, 0, { signal }).catch(() => {});
    }
  }

  async #sendBatch(): Promise<number> {
    const claims = await claimEmails(this.#deps.db, BATCH_SIZE, LEASE_MS);
    await Promise.all(claims.map((claim) => this.#send(claim)));
    return claims.length;
  }

  async #send(claim: Claim): Promise<void> {
    const { db, transport, log } = this.#deps;
    const { id: mail_id, attempts: attempt } = claim;
    try {
      const context = await loadMailContext(db, claim.id);
      const email = context && (await composeEmail(context, this.#deps));
      if (!email) {
        await markFailed(db, claim, { error: 'There is no address.', final: true });
        return;
      }
      await transport.send(email);
      await markSent(db, claim);
      log.info({ mail_id, attempt, kind: context.kind }, 'email sent');
    } catch (error) {
      const final = error instanceof MailRefused;
      const reason = mailErrorCode(error);
      log.warn({ mail_id, attempt, reason, final }, 'email not sent');
      await markFailed(db, claim, { error: reason, final });
    }
  }
}
