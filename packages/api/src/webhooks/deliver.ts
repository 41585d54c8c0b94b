import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import type { Seal } from '../seal.ts';
import { claim, type Claim } from './claim.ts';
import { openSecrets } from './secrets.ts';
import { ATTEMPT_TIMEOUT_MS, type Send } from './send.ts';
import { disable, release, settle } from './settle.ts';
import { signNotice } from './sign.ts';

/** How soon a new notice leaves, at the latest, when nothing else is going on. */
const POLL_MS = 250;
/** Attempts end in bursts: their places are filled with one claim, not with one for each. */
const GATHER_MS = 15;
/** After the database failed. */
const PAUSE_AFTER_FAULT_MS = 1_000;
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
export interface DeliverLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
}

export interface DelivererDeps {
  db: Db;
  /** Opens the endpoints' secrets. */
  secrets: Seal;
  send: Send;
  log: DeliverLog;
  now?: () => Date;
  leaseMs?: number;
}

/**
 * Sends what `webhook_delivery` holds, until stopped. Any number of processes may do it at once.
 *
 * At least once: the attempt is counted before it is made, and whatever dies on the way leaves a
 * lease that runs out.
 */
export class Deliverer {
  readonly #deps: Required<DelivererDeps>;
  readonly #underWay = LANES.map(() => new Set<Promise<void>>());
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #stopped = false;
  #wake = () => {};

  constructor(deps: DelivererDeps) {
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
    const rest = Promise.all(this.#underWay.flatMap((lane) => [...lane]));
    const patience = new AbortController();
    const late = sleep(graceMs, undefined, { signal: patience.signal }).then(
      () => this.#ending.abort(),
      () => {},
    );
    await rest;
    patience.abort();
    await late;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      // Whatever ends meanwhile must not be missed.
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const claimed = await this.#fill().catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'webhook deliveries cannot be read');
        return sleep(PAUSE_AFTER_FAULT_MS, 0);
      });
      if (claimed === 0 && !this.#stopped) {
        await Promise.race([woken.then(() => sleep(GATHER_MS)), sleep(POLL_MS)]);
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
        this.#deps.log.warn({ err, ...idsOf(claim) }, 'a webhook attempt went wrong on our side');
      })
      .finally(() => {
        lane.delete(attempt);
        this.#wake();
      });
    lane.add(attempt);
  }

  async #deliver(claim: Claim): Promise<void> {
    const { db, secrets, send, log, now } = this.#deps;
    if (claim.disabled) return await disable(db, claim, claim.disabled);
    const notice = { id: claim.event_id, at: now(), body: claim.body };
    const headers = signNotice(await openSecrets(secrets, claim, notice.at), notice);
    try {
      const { url, body } = claim;
      const outcome = await send({ url, headers, body }, this.#ending.signal);
      const disabled = await settle(db, claim, outcome);
      const { status, error, durationMs } = outcome;
      log.info({ ...idsOf(claim), status, error, duration_ms: durationMs }, 'webhook attempt');
      if (disabled) log.warn({ ...idsOf(claim), reason: disabled }, 'webhook endpoint disabled');
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
      await release(db, claim);
    }
  }
}

/** Never the URL: people put tokens into it. */
const idsOf = ({ id, endpoint_id, event_id, attempts }: Claim) => ({
  delivery_id: id,
  endpoint_id,
  event_id,
  attempt: attempts,
});
