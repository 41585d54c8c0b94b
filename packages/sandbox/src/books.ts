import type { DatabaseSync } from 'node:sqlite';
import { newId, unixNow } from './ids.ts';
import { invalidParam, noSuch } from './stripe-error.ts';
import type { BalanceTransaction, Charge, Kept, PaymentIntent, PaymentMethod } from './wire.ts';
import { API_VERSION, PLATFORM_ACCOUNT } from './wire.ts';

/** An event as Stripe sends it; `data.object` is what was true at that moment. */
export type SandboxEvent = {
  id: string;
  object: 'event';
  account?: string;
  api_version: string;
  created: number;
  data: { object: Kept };
  livemode: false;
  pending_webhooks: number;
  request: { id: string; idempotency_key: string | null };
  type: string;
};

type Kinds = {
  payment_intent: PaymentIntent;
  charge: Charge;
  balance_transaction: BalanceTransaction;
  payment_method: PaymentMethod;
  event: SandboxEvent;
};
export type Kind = keyof Kinds;

/** One page of a list, as Stripe asks for it. */
export type Page = { limit: number; starting_after?: string; ending_before?: string };

/** The request that is being served; events tell who caused them. */
export type Cause = { requestId: string; idempotencyKey: string | null };

/**
 * What one account has. Made per request and bound to its account, so that no
 * route can read or write another account's objects by accident.
 */
export class Books {
  readonly account: string;
  readonly #db: DatabaseSync;
  readonly #cause: Cause;

  constructor(db: DatabaseSync, account: string, cause: Cause) {
    this.#db = db;
    this.account = account;
    this.#cause = cause;
  }

  add<T extends Kept | SandboxEvent>(object: T): T {
    this.#db
      .prepare('insert into object (id, kind, account, body) values (?, ?, ?, ?)')
      .run(object.id, object.object, this.account, JSON.stringify(object));
    return object;
  }

  save(object: Kept) {
    this.#db
      .prepare('update object set body = ? where id = ? and account = ?')
      .run(JSON.stringify(object), object.id, this.account);
  }

  /** @throws {StripeError} 404 */
  find<K extends Kind>(kind: K, id: string, param = 'id'): Kinds[K] {
    const row = this.#db
      .prepare('select body from object where id = ? and kind = ? and account = ?')
      .get(id, kind, this.account);
    if (!row) throw noSuch(kind, id, param);
    return JSON.parse(String(row['body'])) as Kinds[K];
  }

  /** Newest first, as Stripe lists. `wanted` narrows the kind further. */
  list<K extends Kind>(kind: K, page: Page, wanted: readonly string[] = []) {
    const back = page.ending_before;
    const cursor = back ?? page.starting_after;
    const from =
      cursor === undefined
        ? null
        : this.#seq(kind, cursor, back ? 'ending_before' : 'starting_after');
    const rows = this.#db
      .prepare(
        `select body from object where account = :account and kind = :kind
           and (:from is null or seq ${back ? '>' : '<'} :from)
           and (:wanted = '[]' or body ->> 'type' in (select value from json_each(:wanted)))
         order by seq ${back ? 'asc' : 'desc'} limit :limit`,
      )
      .all({
        account: this.account,
        kind,
        from,
        wanted: JSON.stringify(wanted),
        limit: page.limit + 1,
      });
    const data = rows
      .slice(0, page.limit)
      .map((row) => JSON.parse(String(row['body'])) as Kinds[K]);
    return { has_more: rows.length > page.limit, data: back ? data.reverse() : data };
  }

  /** Writes an event and its place in the delivery queue. */
  emit(type: string, object: Kept) {
    const event = this.add<SandboxEvent>({
      id: newId('evt'),
      object: 'event',
      ...(this.account === PLATFORM_ACCOUNT ? {} : { account: this.account }),
      api_version: API_VERSION,
      created: unixNow(),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: this.#cause.requestId, idempotency_key: this.#cause.idempotencyKey },
      type,
    });
    this.#db
      .prepare('insert into delivery (event_id, next_attempt_at) values (?, ?)')
      .run(event.id, Date.now());
  }

  #seq(kind: Kind, id: string, param: string) {
    const row = this.#db
      .prepare('select seq from object where id = ? and kind = ? and account = ?')
      .get(id, kind, this.account);
    if (!row) throw invalidParam(param, `No such ${kind}: '${id}'`, 'resource_missing');
    return Number(row['seq']);
  }
}
