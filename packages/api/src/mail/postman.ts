import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import type { DeliveryLog } from '../webhooks/delivery-worker.ts';
import { compose, type LetterOptions } from './letters.ts';
import { claimMails, settleFailed, settleSent, type Claim } from './queue.ts';
import { reasonOf } from './reason.ts';
import { readTold } from './subject-of-mail.ts';
import { MailRefused, type MailTransport } from './transport.ts';

/** How soon a new mail leaves, at the latest, when nothing else is going on. */
const POLL_MS = 500;
const PAUSE_AFTER_FAULT_MS = 1_000;
const AT_ONCE = 8;
/** A mail server that hangs, in each of its steps, and time to write down what came of it. */
const LEASE_MS = 90_000;
/** Mails under way may end when the process is told to stop; later ones are sent again. */
const STOP_GRACE_MS = 5_000;

export interface PostmanDeps extends LetterOptions {
  db: Db;
  transport: MailTransport;
  log: DeliveryLog;
}

/**
 * Sends what the table `mail` holds, until stopped. Any number of processes may do it at once.
 *
 * At least once: what dies on the way leaves a lease that runs out. The log has ids, and never an
 * address or a word of a mail.
 */
export class Postman {
  readonly #deps: PostmanDeps;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(deps: PostmanDeps) {
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
      const sent = await this.#sendSome().catch(async (err: unknown) => {
        this.#deps.log.warn({ err }, 'mail cannot be read');
        await sleep(PAUSE_AFTER_FAULT_MS, 0, { signal }).catch(() => {});
        return 0;
      });
      if (sent === 0) await sleep(POLL_MS, 0, { signal }).catch(() => {});
    }
  }

  async #sendSome(): Promise<number> {
    const claims = await claimMails(this.#deps.db, AT_ONCE, LEASE_MS);
    await Promise.all(claims.map((claim) => this.#send(claim)));
    return claims.length;
  }

  async #send(claim: Claim): Promise<void> {
    const { db, transport, log } = this.#deps;
    const { id: mail_id, attempts: attempt } = claim;
    try {
      const told = await readTold(db, claim.id);
      const letter = told && (await compose(told, this.#deps));
      if (!letter) {
        await settleFailed(db, claim, { error: 'There is no address.', final: true });
        return;
      }
      await transport.send(letter);
      await settleSent(db, claim);
      log.info({ mail_id, attempt, kind: told.kind }, 'mail sent');
    } catch (error) {
      const final = error instanceof MailRefused;
      const reason = reasonOf(error);
      log.warn({ mail_id, attempt, reason, final }, 'mail not sent');
      await settleFailed(db, claim, { error: reason, final });
    }
  }
}
