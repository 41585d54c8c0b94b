import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/schema.ts';
import type { Encrypter } from '../lib/encrypter.ts';
import type { WorkerLog } from '../lib/log.ts';
import { claim, type Claim } from './claim.ts';
import { decryptSecrets } from './secrets.ts';
import { ATTEMPT_TIMEOUT_MS, type Send } from './send.ts';
import { disableEndpoint, releaseLease, saveOutcome } from './save-outcome.ts';
import { signEvent } from './sign.ts';

/** Poll interval of the queue, and so the maximum delay of a new event in an idle worker. */
const POLL_MS = 250;
/** Attempts end in bursts: after this delay one claim fills all free slots. */
const COALESCE_MS = 15;
/** Delay after a database error. */
const PAUSE_AFTER_ERROR_MS = 1_000;
/** Longer than an attempt and saving its outcome, so that a live worker never loses its lease. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 10_000;
/** How long running attempts may take after `stop`. Later ones are released. */
const STOP_GRACE_MS = 5_000;

/**
 * Two lanes, so that slow and failing endpoints never delay the others. A new endpoint is in the slow
 * lane until it has responded in time.
 */
const LANES = [
  { slow: false, slots: 128, perEndpoint: 8 },
  { slow: true, slots: 128, perEndpoint: 1 },
];

export interface DeliveryWorkerDeps {
  db: Db;
  /** Decrypts the signing secrets of endpoints. */
  secretEncrypter: Encrypter;
  send: Send;
  log: WorkerLog;
  now?: () => Date;
  leaseMs?: number;
}

/**
 * Sends the pending deliveries of `webhook_delivery` until stopped. Any number of processes can run
 * it.
 *
 * Delivery is at least once: an attempt is counted before it is sent, and if the process dies, its
 * lease expires and another worker sends the event again.
 */
export class DeliveryWorker {
  readonly #deps: Required<DeliveryWorkerDeps>;
  readonly #runningAttempts = LANES.map(() => new Set<Promise<void>>());
  readonly #abortController = new AbortController();
  #running: Promise<void> | undefined;
  #stopped = false;
  #wakeUp = () => {};

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = { now: () => new Date(), leaseMs: LEASE_MS, ...deps };
  }

  start(): this {
    this.#running ??= this.#run();
    return this;
  }

  /** Claims nothing more, waits `graceMs` for running attempts and releases the remaining ones. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopped = true;
    this.#wakeUp();
    await this.#running;
    const unfinished = Promise.all(this.#runningAttempts.flatMap((lane) => [...lane]));
    const graceTimer = new AbortController();
    const graceEnd = sleep(graceMs, undefined, { signal: graceTimer.signal }).then(
      () => this.#abortController.abort(),
      () => {},
    );
    await unfinished;
    graceTimer.abort();
    await graceEnd;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      // Created before claiming, so that an attempt that ends in between is noticed.
      const wakeUp = new Promise<void>((resolve) => (this.#wakeUp = resolve));
      const claimed = await this.#claimForFreeSlots().catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'webhook deliveries could not be loaded');
        return sleep(PAUSE_AFTER_ERROR_MS, 0);
      });
      if (claimed === 0 && !this.#stopped) {
        await Promise.race([wakeUp.then(() => sleep(COALESCE_MS)), sleep(POLL_MS)]);
      }
    }
  }

  /** Claims deliveries for the free slots of each lane. */
  async #claimForFreeSlots(): Promise<number> {
    let claimed = 0;
    for (const [index, { slow, slots, perEndpoint }] of LANES.entries()) {
      const lane = this.#runningAttempts[index]!;
      const freeSlots = slots - lane.size;
      if (freeSlots === 0) continue;
      const { db, leaseMs } = this.#deps;
      const claims = await claim(db, { slow, slots: freeSlots, perEndpoint, leaseMs });
      for (const claimedDelivery of claims) this.#startAttempt(lane, claimedDelivery);
      claimed += claims.length;
    }
    return claimed;
  }

  #startAttempt(lane: Set<Promise<void>>, claim: Claim): void {
    const attempt = this.#deliver(claim)
      .catch((err: unknown) => {
        // The attempt is repeated when its lease has expired.
        this.#deps.log.warn(
          { err, ...logFields(claim) },
          'a webhook delivery failed with an internal error',
        );
      })
      .finally(() => {
        lane.delete(attempt);
        this.#wakeUp();
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
      const outcome = await send({ url, headers, body }, this.#abortController.signal);
      const disabled = await saveOutcome(db, claim, outcome);
      const { status, error, durationMs } = outcome;
      log.info({ ...logFields(claim), status, error, duration_ms: durationMs }, 'webhook attempt');
      if (disabled)
        log.warn({ ...logFields(claim), reason: disabled }, 'webhook endpoint disabled');
    } catch (error) {
      if (!this.#abortController.signal.aborted) throw error;
      await releaseLease(db, claim);
    }
  }
}

/** Without the URL, which may contain a token. */
const logFields = ({ id, endpoint_id, event_id, attempts }: Claim) => ({
  delivery_id: id,
  endpoint_id,
  event_id,
  attempt: attempts,
});
