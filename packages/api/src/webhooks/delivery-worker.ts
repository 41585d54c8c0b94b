import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import type { Encrypter } from '../encrypter.ts';
import { claim, type Claim } from './claim.ts';
import { decryptSecrets } from './secrets.ts';
import { ATTEMPT_TIMEOUT_MS, type Send } from './send.ts';
import { disableEndpoint, releaseLease, saveOutcome } from './save-outcome.ts';
import { signEvent } from './sign.ts';

/** How soon a new notice leaves, at the latest, when nothing else is going on. */
const POLL_MS = 250;
/** Attempts end in bursts: their places are filled with one claim, not with one for each. */
const COALESCE_MS = 15;
/** After the database failed. */
const PAUSE_AFTER_ERROR_MS = 1_000;
/** The attempt itself, and time to write down what came of it. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 10_000;
/** Attempts under way may end when the process is told to stop; later ones are put back. */
const STOP_GRACE_MS = 5_000;

/**
 * Two lanes, so that endpoints that fail or dawdle wait for one another and never in front of
 * those that answer. An endpoint is in the slow lane until it has first answered well.
 */
const LANES = [
  { slow: false, slots: 128, perEndpoint: 8 },
  { slow: true, slots: 128, perEndpoint: 1 },
];

/** What a delivering process says of its work; pino's loggers fit. */
export interface DeliveryLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
}

export interface DeliveryWorkerDeps {
  db: Db;
  /** Opens the endpoints' secrets. */
  secretEncrypter: Encrypter;
  send: Send;
  log: DeliveryLog;
  now?: () => Date;
  leaseMs?: number;
}

/**
 * Sends what `webhook_delivery` holds, until stopped. Any number of processes may do it at once.
 *
 * At least once: the attempt is counted before it is made, and whatever dies on the way leaves a
 * lease that runs out.
 */
export class DeliveryWorker {
  readonly #deps: Required<DeliveryWorkerDeps>;
  readonly #underWay = LANES.map(() => new Set<Promise<void>>());
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #stopped = false;
  #wake = () => {};

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = { now: () => new Date(), leaseMs: LEASE_MS, ...deps };
  }

  start(): this {
    this.#running ??= this.#run();
    return this;
  }

  /** Claims nothing more, lets attempts end for a while, and puts back those that do not. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
    const unfinished = Promise.all(this.#underWay.flatMap((lane) => [...lane]));
    const graceTimer = new AbortController();
    const graceEnd = sleep(graceMs, undefined, { signal: graceTimer.signal }).then(
      () => this.#ending.abort(),
      () => {},
    );
    await unfinished;
    graceTimer.abort();
    await graceEnd;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      // Whatever ends meanwhile must not be missed.
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const claimed = await this.#fill().catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'webhook deliveries cannot be read');
        return sleep(PAUSE_AFTER_ERROR_MS, 0);
      });
      if (claimed === 0 && !this.#stopped) {
        await Promise.race([woken.then(() => sleep(COALESCE_MS)), sleep(POLL_MS)]);
      }
    }
  }

  /** Claims for every lane as much as it has room for. */
  async #fill(): Promise<number> {
    let claimed = 0;
    for (const [index, { slow, slots, perEndpoint }] of LANES.entries()) {
      const lane = this.#underWay[index]!;
      const free = slots - lane.size;
      if (free === 0) continue;
      const { db, leaseMs } = this.#deps;
      const claims = await claim(db, { slow, slots: free, perEndpoint, leaseMs });
      for (const each of claims) this.#begin(lane, each);
      claimed += claims.length;
    }
    return claimed;
  }

  #begin(lane: Set<Promise<void>>, claim: Claim): void {
    const attempt = this.#deliver(claim)
      .catch((err: unknown) => {
        // Nothing is lost: the lease runs out and the attempt is made again.
        this.#deps.log.warn(
          { err, ...logFields(claim) },
          'a webhook attempt went wrong on our side',
        );
      })
      .finally(() => {
        lane.delete(attempt);
        this.#wake();
      });
    lane.add(attempt);
  }

  async #deliver(claim: Claim): Promise<void> {
    const { db, secretEncrypter, send, log, now } = this.#deps;
    if (claim.disabled) return await disableEndpoint(db, claim, claim.disabled);
    const message = { id: claim.event_id, at: now(), body: claim.body };
    const headers = signEvent(await decryptSecrets(secretEncrypter, claim, message.at), message);
    try {
      const { url, body } = claim;
      const outcome = await send({ url, headers, body }, this.#ending.signal);
      const disabled = await saveOutcome(db, claim, outcome);
      const { status, error, durationMs } = outcome;
      log.info({ ...logFields(claim), status, error, duration_ms: durationMs }, 'webhook attempt');
      if (disabled)
        log.warn({ ...logFields(claim), reason: disabled }, 'webhook endpoint disabled');
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
      await releaseLease(db, claim);
    }
  }
}

/** Never the URL: people put tokens into it. */
const logFields = ({ id, endpoint_id, event_id, attempts }: Claim) => ({
  delivery_id: id,
  endpoint_id,
  event_id,
  attempt: attempts,
});
