import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { GroupCommit } from './group-commit.ts';
import { isStorageError, sql, STORAGE_RETRY_MS } from './database.ts';
import type { SandboxEvent, WebhookEndpoint } from './stripe-types.ts';

/**
 * Delay before each attempt in seconds; the last one repeats until the endpoint responds with 2xx.
 *
 * The first delays are short, because on a laptop the receiver is usually only restarting.
 */
const RETRY_DELAYS_SECONDS = [0, 1, 2, 4, 8, 15, 60, 300, 1800, 3600] as const;

/** Timeout of an attempt; the delivery is then retried. */
const TIMEOUT_MS = 10_000;

/** Number of concurrent attempts: enough for a burst without overloading a laptop. */
const CONCURRENCY = 16;

type Receiver = { url: string; secret: string };

/** `receiver` is the configured endpoint; an empty URL disables it. */
type Options = {
  db: DatabaseSync;
  groupCommit: GroupCommit;
  receiver: Receiver;
  log: Log;
};

type Delivery = { id: number; event_id: string; endpoint: string };

/**
 * Sends signed events of the simulated Stripe to the configured endpoint and to those created
 * through the API, until each responds with 2xx.
 *
 * The queue is the table `delivery`: an event is due from the commit that created it, also after a
 * restart. The order is not guaranteed, as at Stripe.
 */
export class WebhookDeliveries {
  readonly #options: Options;
  readonly #running = new Map<number, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * After a restart, all undelivered events are due immediately, and their delays start again with
   * the shortest.
   */
  start() {
    sql(
      this.#options.db,
      'update delivery set attempts = 0, next_attempt_at = ? where delivered_at is null',
    ).run(Date.now());
    this.sendDue();
  }

  /** Starts the deliveries that are due; called after every commit. */
  readonly sendDue = () => {
    // The end of a running attempt calls this function again.
    if (this.#stopped.signal.aborted || this.#running.size >= CONCURRENCY) return;
    clearTimeout(this.#timer);
    // Read the clock once, so that each delivery is either due or covered by the timer.
    const now = Date.now();
    for (const delivery of this.#due(now)) {
      if (this.#running.size >= CONCURRENCY) return;
      const attempt = this.#attempt(delivery).finally(() => {
        this.#running.delete(delivery.id);
        this.sendDue();
      });
      this.#running.set(delivery.id, attempt);
    }
    this.#setTimer(now);
  };

  /** Aborts running attempts; they are repeated after the next start. */
  async stop() {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#running.values());
  }

  #due(now: number): Delivery[] {
    const rows = sql(
      this.#options.db,
      `select id, event_id, endpoint from delivery
        where delivered_at is null and next_attempt_at <= ? and (endpoint <> '' or ?)
        order by next_attempt_at, id limit ?`,
    ).all(now, Number(this.#options.receiver.url !== ''), CONCURRENCY * 2);
    return (rows as unknown as Delivery[]).filter(({ id }) => !this.#running.has(id));
  }

  #setTimer(now: number) {
    const row = sql(
      this.#options.db,
      `select min(next_attempt_at) at from delivery
        where delivered_at is null and next_attempt_at > ?`,
    ).get(now);
    const at = row?.['at'];
    if (typeof at !== 'number') return;
    this.#timer = setTimeout(this.sendDue, Math.max(0, at - Date.now()));
    this.#timer.unref();
  }

  async #attempt(delivery: Delivery) {
    const { db, log } = this.#options;
    const row = sql(db, 'select body from object where id = ?').get(delivery.event_id);
    const event = JSON.parse(String(row?.['body'])) as SandboxEvent;
    const address = this.#addressOf(delivery);
    const result = address ? await this.#post(address, JSON.stringify(event, null, 2)) : '200';
    if (result === 'stopped') return;
    const delivered = /^2\d\d$/.test(result);
    try {
      await this.#options.groupCommit.run(() => this.#saveResult(delivery, delivered, result));
    } catch (error) {
      if (!isStorageError(error)) throw error;
      log(`delivery of ${event.id} could not be saved: ${error.message}`, 'error');
      // The event is still due. It is sent again when this function has ended.
      await sleep(STORAGE_RETRY_MS, undefined, { signal: this.#stopped.signal }).catch(() => {});
      return;
    }
    log(`event ${event.type} ${event.id} → ${result}`, delivered ? 'info' : 'error');
  }

  /** An endpoint that was deleted or disabled receives nothing more. */
  #addressOf({ endpoint }: Delivery): Receiver | undefined {
    const { db, receiver } = this.#options;
    if (!endpoint) return receiver;
    const row = sql(db, 'select body, hidden from object where id = ?').get(endpoint);
    if (!row) return undefined;
    const { status, url: endpointUrl } = JSON.parse(String(row['body'])) as WebhookEndpoint;
    const hidden = JSON.parse(String(row['hidden'])) as { secret: string };
    return status === 'enabled' ? { url: endpointUrl, secret: hidden.secret } : undefined;
  }

  /** @returns the HTTP status, or the reason of the failure */
  async #post({ url, secret }: Receiver, body: string): Promise<string> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(body, secret),
          'user-agent': 'Stripe/1.0 (Connect Embed sandbox)',
        },
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer(); // Read to its end, so that the connection is used again.
      return String(response.status);
    } catch (error) {
      if (this.#stopped.signal.aborted) return 'stopped';
      return reason(error);
    }
  }

  #saveResult({ id, event_id }: Delivery, delivered: boolean, result: string) {
    const { db } = this.#options;
    const row = sql(
      db,
      'update delivery set attempts = attempts + 1 where id = ? returning attempts',
    ).get(id);
    const delaySeconds =
      RETRY_DELAYS_SECONDS[Number(row?.['attempts'])] ?? RETRY_DELAYS_SECONDS.at(-1) ?? 0;
    sql(
      db,
      'update delivery set delivered_at = ?, next_attempt_at = ?, last_result = ? where id = ?',
    ).run(delivered ? Date.now() : null, Date.now() + delaySeconds * 1000, result, id);
    if (delivered) sql(db, UPDATE_PENDING_WEBHOOKS).run(event_id, event_id);
  }
}

const UPDATE_PENDING_WEBHOOKS = `update object set body = json_set(body, '$.pending_webhooks',
  (select count(*) from delivery where event_id = ? and delivered_at is null)) where id = ?`;

/**
 * Creates the `Stripe-Signature` header: HMAC-SHA256 over `timestamp.body`.
 *
 * @param at time of the signature in seconds since 1970: receivers reject a signature older than
 * five minutes
 */
function sign(body: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${v1}`;
}

/** Returns the reason of a failed request, which `fetch` stores in `cause`. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause && typeof cause === 'object' && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.name : String(cause);
}
