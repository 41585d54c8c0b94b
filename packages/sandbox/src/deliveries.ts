import type { DatabaseSync } from 'node:sqlite';
import type { SandboxEvent } from './books.ts';
import { sign } from './signature.ts';

/**
 * Seconds before each attempt; the last one repeats until somebody answers 2xx.
 *
 * Quick at first, because on a laptop the receiver is usually only restarting.
 */
export const WAITS_SECONDS = [0, 1, 2, 4, 8, 15, 60, 300, 1800, 3600] as const;

/** A receiver that needs longer is asked again. */
const TIMEOUT_MS = 10_000;

/** Attempts under way at a time: enough for a burst, kind to a laptop. */
const CONCURRENCY = 8;

type Options = { db: DatabaseSync; url: string; secret: string; log: (line: string) => void };

/**
 * Sends events to the one webhook address, signed, until it answers 2xx.
 *
 * The queue is the `delivery` table: an event is due from the commit that made
 * it, and stays due over restarts. Order is not kept, as at Stripe.
 */
export class Deliveries {
  readonly #options: Options;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** After a restart everything undelivered is due now, and quickly again. */
  start() {
    this.#options.db
      .prepare('update delivery set attempts = 0, next_attempt_at = ? where delivered_at is null')
      .run(Date.now());
    this.poke();
  }

  /** Looks for due events now; called after every commit. */
  readonly poke = () => {
    if (this.#stopped.signal.aborted || !this.#options.url) return;
    clearTimeout(this.#timer);
    for (const id of this.#due()) {
      if (this.#underWay.size >= CONCURRENCY) return;
      const attempt = this.#attempt(id).finally(() => {
        this.#underWay.delete(id);
        this.poke();
      });
      this.#underWay.set(id, attempt);
    }
    this.#sleep();
  };

  /** Ends what is under way; it will be sent again after the next start. */
  async stop() {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay.values());
  }

  #due(): string[] {
    return this.#options.db
      .prepare(
        `select event_id from delivery
          where delivered_at is null and next_attempt_at <= ? order by next_attempt_at limit ?`,
      )
      .all(Date.now(), CONCURRENCY * 2)
      .map((row) => String(row['event_id']))
      .filter((id) => !this.#underWay.has(id));
  }

  #sleep() {
    const row = this.#options.db
      .prepare(
        `select min(next_attempt_at) at from delivery
          where delivered_at is null and next_attempt_at > ?`,
      )
      .get(Date.now());
    const at = row?.['at'];
    if (typeof at !== 'number') return;
    this.#timer = setTimeout(this.poke, Math.max(0, at - Date.now()));
    this.#timer.unref();
  }

  async #attempt(id: string) {
    const { db, url, log } = this.#options;
    const row = db.prepare('select body from object where id = ?').get(id);
    const event = JSON.parse(String(row?.['body'])) as SandboxEvent;
    const result = await this.#post(url, JSON.stringify(event, null, 2));
    if (result === 'stopped') return;
    const delivered = /^2\d\d$/.test(result);
    this.#settle(id, delivered, result);
    log(`event ${event.type} ${id} → ${result}`);
  }

  /** @returns the status, or what went wrong on the way */
  async #post(url: string, body: string): Promise<string> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(body, this.#options.secret),
          'user-agent': 'Stripe/1.0 (Connect Embed sandbox)',
        },
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch (error) {
      if (this.#stopped.signal.aborted) return 'stopped';
      return reason(error);
    }
  }

  #settle(id: string, delivered: boolean, result: string) {
    const { db } = this.#options;
    const row = db
      .prepare('update delivery set attempts = attempts + 1 where event_id = ? returning attempts')
      .get(id);
    const wait = WAITS_SECONDS[Number(row?.['attempts'])] ?? WAITS_SECONDS.at(-1) ?? 0;
    db.prepare(
      'update delivery set delivered_at = ?, next_attempt_at = ?, last_result = ? where event_id = ?',
    ).run(delivered ? Date.now() : null, Date.now() + wait * 1000, result, id);
    if (delivered) {
      db.prepare(
        `update object set body = json_set(body, '$.pending_webhooks', 0) where id = ?`,
      ).run(id);
    }
  }
}

/** `fetch` hides the reason in `cause`. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause && typeof cause === 'object' && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.name : String(cause);
}
