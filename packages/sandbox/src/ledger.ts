import type { DatabaseSync } from 'node:sqlite';
import { sql } from './database.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';
import { type ListFilters, type ListPage, toWhereClause } from './list-filters.ts';
import { planDeliveries } from './outbox.ts';
import { isLive, isOwnAccount } from './own-accounts.ts';
import { invalidParamError, resourceMissingError } from './stripe-error.ts';
import type { StripeObject, Kind, Kinds, SandboxEvent } from './stripe-types.ts';
import { API_VERSION, PLATFORM_ACCOUNT } from './stripe-types.ts';

/** The current request; the events that it causes contain both fields. */
type EventCause = { requestId: string | null; idempotencyKey: string | null };

/** `url` is the sandbox's URL for browsers. */
type LedgerStore = { db: DatabaseSync; now: () => number; faults: Faults; url: string };

/**
 * The objects of one account at the simulated Stripe. A ledger is created per request and bound to
 * its account, so that no route can access another account's objects by accident.
 */
export class Ledger {
  readonly account: string;
  /** The current time of the sandbox, in seconds. */
  readonly now: () => number;
  readonly url: string;
  readonly #store: LedgerStore;
  readonly #cause: EventCause;

  constructor(store: LedgerStore, account: string, cause: EventCause) {
    this.#store = store;
    this.now = store.now;
    this.url = store.url;
    this.account = account;
    this.#cause = cause;
  }

  /** Returns the ledger of another account, for a request that also changes that account. */
  forAccount(account: string): Ledger {
    return new Ledger(this.#store, account, this.#cause);
  }

  /** @param hidden internal data of the object that Stripe's API does not return */
  add<T extends StripeObject | SandboxEvent>(object: T, hidden: object = {}): T {
    if ('livemode' in object) object.livemode = isLive(this.account);
    sql(
      this.#store.db,
      'insert into object (id, kind, account, body, hidden) values (?, ?, ?, ?, ?)',
    ).run(object.id, object.object, this.account, JSON.stringify(object), JSON.stringify(hidden));
    return object;
  }

  save<T extends StripeObject>(object: T): T {
    sql(this.#store.db, 'update object set body = ? where id = ? and account = ?').run(
      JSON.stringify(object),
      object.id,
      this.account,
    );
    return object;
  }

  /** @throws {StripeError} 404 */
  find<K extends Kind>(kind: K, id: string, param = 'id'): Kinds[K] {
    const row = sql(
      this.#store.db,
      'select body from object where id = ? and kind = ? and account = ?',
    ).get(id, kind, this.account);
    if (!row) throw resourceMissingError(kind, id, param);
    return JSON.parse(String(row['body'])) as Kinds[K];
  }

  hidden<T extends object>(id: string): Partial<T> {
    const row = sql(this.#store.db, 'select hidden from object where id = ?').get(id);
    return JSON.parse(String(row?.['hidden'] ?? '{}')) as Partial<T>;
  }

  setHidden(id: string, change: object) {
    sql(this.#store.db, 'update object set hidden = json_patch(hidden, ?) where id = ?').run(
      JSON.stringify(change),
      id,
    );
  }

  /** Returns a page of objects, newest first, as at Stripe. */
  list<K extends Kind>(kind: K, page: ListPage, filters: ListFilters = {}) {
    const from = page.starting_after === undefined ? [] : [this.#seq(kind, page.starting_after)];
    const { where, values } = toWhereClause(filters);
    const rows = sql(
      this.#store.db,
      `select body from object where account = ? and kind = ?
         ${from.length ? 'and seq < ?' : ''}${where}
       order by seq desc limit ?`,
    ).all(this.account, kind, ...from, ...values, page.limit + 1);
    const data = rows
      .slice(0, page.limit)
      .map((row) => JSON.parse(String(row['body'])) as Kinds[K]);
    return { has_more: rows.length > page.limit, data };
  }

  /** Returns all matching objects, newest first; for internal use. */
  listAll<K extends Kind>(kind: K, filters: ListFilters): Kinds[K][] {
    return this.list(kind, { limit: 1_000_000 }, filters).data;
  }

  /** Changes all matching objects in one statement. */
  updateAll(
    kind: Kind,
    filters: ListFilters,
    { body = {}, hidden = {} }: { body?: object; hidden?: object },
  ) {
    const { where, values } = toWhereClause(filters);
    sql(
      this.#store.db,
      `update object set body = json_patch(body, ?), hidden = json_patch(hidden, ?)
        where account = ? and kind = ?${where}`,
    ).run(JSON.stringify(body), JSON.stringify(hidden), this.account, kind, ...values);
  }

  /** Whether a setting of this account is on, such as that its next payout fails. */
  hasSetting(name: string): boolean {
    const statement = sql(this.#store.db, 'select 1 from setting where account = ? and name = ?');
    return statement.get(this.account, name) !== undefined;
  }

  set(name: string, value: boolean) {
    sql(this.#store.db, 'delete from setting where account = ? and name = ?').run(
      this.account,
      name,
    );
    if (!value) return;
    sql(this.#store.db, 'insert into setting (account, name) values (?, ?)').run(
      this.account,
      name,
    );
  }

  /** Saves an event and queues its webhook deliveries. */
  emit(type: string, object: StripeObject, previous_attributes?: object) {
    const event: SandboxEvent = {
      id: newId('evt'),
      object: 'event',
      ...(this.#isConnected() && { account: this.account }),
      api_version: API_VERSION,
      created: this.now(),
      data: { object, ...(previous_attributes && { previous_attributes }) },
      livemode: isLive(this.account),
      pending_webhooks: 0,
      request: { id: this.#cause.requestId, idempotency_key: this.#cause.idempotencyKey },
      type,
    };
    const deliveries = planDeliveries(this.#store.db, this.account, event, this.#store.faults);
    event.pending_webhooks = deliveries.length;
    this.add(event);
    for (const { endpoint, at } of deliveries) {
      sql(
        this.#store.db,
        'insert into delivery (event_id, endpoint, next_attempt_at) values (?, ?, ?)',
      ).run(event.id, endpoint, at);
    }
  }

  remove({ id }: StripeObject) {
    sql(this.#store.db, 'delete from object where id = ? and account = ?').run(id, this.account);
  }

  schedule(at: number, jobName: string, id: string) {
    sql(
      this.#store.db,
      'insert into scheduled_job (at, account, name, object_id) values (?, ?, ?, ?)',
    ).run(at, this.account, jobName, id);
  }

  /** Whether the job is scheduled and has not run yet. */
  isScheduled(jobName: string, id: string): boolean {
    const statement = sql(
      this.#store.db,
      'select 1 from scheduled_job where object_id = ? and name = ? limit 1',
    );
    return statement.get(id, jobName) !== undefined;
  }

  unschedule(jobName: string, id: string) {
    sql(this.#store.db, 'delete from scheduled_job where object_id = ? and name = ?').run(
      id,
      jobName,
    );
  }

  /** Whether this account is used through the platform, which receives its events. */
  #isConnected(): boolean {
    return this.account !== PLATFORM_ACCOUNT && !isOwnAccount(this.account);
  }

  #seq(kind: Kind, id: string) {
    const row = sql(
      this.#store.db,
      'select seq from object where id = ? and kind = ? and account = ?',
    ).get(id, kind, this.account);
    if (!row)
      throw invalidParamError('starting_after', `No such ${kind}: '${id}'`, 'resource_missing');
    return Number(row['seq']);
  }
}
