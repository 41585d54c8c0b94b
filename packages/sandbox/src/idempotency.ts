/**
 * Idempotency keys as at Stripe: a request with a known key gets the stored response and changes
 * nothing.
 */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupCommit } from './group-commit.ts';
import { sql } from './database.ts';
import type { Faults } from './faults.ts';
import type { Form } from './form-encoding.ts';
import { API_FAILURE, StripeError } from './stripe-error.ts';

/** Lifetime of a key: one day, as at Stripe. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export type JsonResponse = { status: 200 | 402 | 500; body: string };
type ReplayableResponse = JsonResponse & { replayOf?: string };

type IdempotentCall = {
  account: string;
  key: string | undefined;
  path: string;
  form: Form;
  requestId: string;
};

type Options = { db: DatabaseSync; latencyMs: number; groupCommit: GroupCommit; faults: Faults };

const FAILED_RESPONSE: JsonResponse = {
  status: API_FAILURE.status,
  body: JSON.stringify({ error: API_FAILURE.error }),
};

/**
 * Runs each call once, and stores its response in the same transaction.
 *
 * A thrown error rolls back everything and is not stored: nothing was changed, so the key can be
 * used again. A declined card and an injected failure of Stripe are responses: a retry with the key
 * gets them again.
 */
export class Idempotency {
  readonly #options: Options;
  /** Keys of running requests. They are in memory only: a crash ends these requests. */
  readonly #runningKeys = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  async run(call: IdempotentCall, work: () => JsonResponse): Promise<ReplayableResponse> {
    const { latencyMs, groupCommit } = this.#options;
    if (!call.key) {
      if (latencyMs) await sleep(latencyMs);
      return await groupCommit.run(work);
    }
    if (call.key.length > 255)
      throw idempotencyError('Idempotency keys may be at most 255 characters.');
    const lockKey = JSON.stringify([call.account, call.key]);
    if (this.#runningKeys.has(lockKey)) throw keyInUseError(call.key);
    const replay = this.#replay(call, call.key);
    if (replay) return replay;
    this.#runningKeys.add(lockKey);
    try {
      if (latencyMs) await sleep(latencyMs);
      const key = call.key;
      return await groupCommit.run(() => this.#storeResponse(call, key, this.#attempt(call, work)));
    } finally {
      this.#runningKeys.delete(lockKey);
    }
  }

  /** Runs the work. An injected fault replaces its response by a 500, before or after the work. */
  #attempt({ path }: IdempotentCall, work: () => JsonResponse): JsonResponse {
    const { faults } = this.#options;
    if (faults.evaluate('server_error', path)) return FAILED_RESPONSE;
    const response = work();
    return faults.evaluate('server_error_after', path) ? FAILED_RESPONSE : response;
  }

  #replay(call: IdempotentCall, key: string): ReplayableResponse | undefined {
    const row = sql(
      this.#options.db,
      'select * from idempotency where account = ? and key = ? and created_at > ?',
    ).get(call.account, key, Date.now() - KEY_LIFETIME_MS);
    if (!row) return undefined;
    if (row['fingerprint'] !== fingerprint(call)) {
      throw idempotencyError(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    return {
      status: row['status'] as JsonResponse['status'],
      body: String(row['body']),
      replayOf: String(row['request_id']),
    };
  }

  #storeResponse(call: IdempotentCall, key: string, response: JsonResponse): JsonResponse {
    const { db } = this.#options;
    const now = Date.now();
    sql(db, 'delete from idempotency where created_at <= ?').run(now - KEY_LIFETIME_MS);
    sql(
      db,
      `insert into idempotency (account, key, fingerprint, status, body, request_id, created_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      call.account,
      key,
      fingerprint(call),
      response.status,
      response.body,
      call.requestId,
      now,
    );
    return response;
  }
}

/** Fields that are not hashed: the number of a card or bank account could be guessed from its hash. */
const SECRET_FIELDS = new Set(['number', 'cvc', 'iban', 'account_number']);

const fingerprint = ({ path, form }: IdempotentCall) =>
  createHash('sha256')
    .update(
      JSON.stringify([path, form], (name, value: unknown) =>
        SECRET_FIELDS.has(name) ? '' : value,
      ),
    )
    .digest('base64url');

const idempotencyError = (message: string) =>
  new StripeError(400, { type: 'idempotency_error', message });

const keyInUseError = (key: string) =>
  new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  });
