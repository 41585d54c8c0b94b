import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '@connect-embed/api/db/schema';
import type { DonationProcess, IntentRequestOptions, IntentResponse } from './donation-process.ts';
import type { ProcessorLedger } from './processor-ledger.ts';
import type { SteppedAction } from './stepped-process.ts';

/** What happens next: a request starts or runs its next operation, or the lock of the key expires. */
export type Step = 'first' | 'second' | 'expire';

/** A path through the requests for one payment intent. */
export interface RequestPath {
  /**
   * The operation after which an earlier request with the same key has crashed. If the request has no
   * more operations, its response is lost. Undefined if there was no earlier request.
   */
  crashedAfter: number | undefined;
  steps: readonly Step[];
}

export interface DonationSystem {
  db: Db;
  ledger: ProcessorLedger;
  credentialId: string;
  token: string;
  /** Each runs one of the two requests that overlap. */
  processes: Record<'first' | 'second', DonationProcess>;
  /** Runs everything else. */
  otherProcess: DonationProcess;
}

interface KeyRow {
  attempt: string;
  isLocked: boolean;
  status: number | null;
  hasBody: boolean;
}

/** What the requests have written. */
interface Rows {
  key: KeyRow | null;
  references: unknown;
  turns: unknown;
  intents: unknown;
  donations: number;
}

let paths = 0;

/** One donation whose requests follow a path. */
export class DonationPath {
  readonly amount_cents: number;
  readonly firstEvent: number;
  /** Whether the earlier request has crashed, or its response was lost. */
  hasCrashed = false;
  readonly #system: DonationSystem;
  readonly #key: string;
  readonly #path: RequestPath;
  readonly #firstIntent: number;
  readonly #actions = new Map<'first' | 'second', SteppedAction<IntentResponse>>();
  /** The first response with a payment intent. */
  #intent: IntentResponse | undefined;

  constructor(system: DonationSystem, path: RequestPath) {
    this.#system = system;
    this.#path = path;
    paths += 1;
    this.#key = `path-${paths}`;
    this.amount_cents = 1000 + paths;
    this.firstEvent = system.ledger.events.length;
    this.#firstIntent = system.ledger.intents.size;
  }

  get name(): string {
    return JSON.stringify(this.#path);
  }

  get intent() {
    return this.#intent!.intent!;
  }

  /** Follows the path. */
  async follow(): Promise<void> {
    await this.#deleteOtherPaths();
    const { crashedAfter, steps } = this.#path;
    if (crashedAfter !== undefined) {
      const { first } = this.#system.processes;
      const response = await first.run(() => first.createIntent(this.#request()), crashedAfter);
      this.hasCrashed = response === undefined;
    }
    for (const step of steps) await this.#take(step);
  }

  /** The steps that are possible now. As both requests are equal, the first one starts first. */
  async nextSteps(): Promise<Step[]> {
    const { key } = await this.readRows();
    const canRun = (name: 'first' | 'second') => this.#actions.get(name)?.isFinished !== true;
    return [
      ...(canRun('first') ? ['first' as const] : []),
      ...(this.#actions.has('first') && canRun('second') ? ['second' as const] : []),
      ...(key?.isLocked ? ['expire' as const] : []),
    ];
  }

  /**
   * Describes the state, equally for all paths after which the same can happen: what is stored, and how
   * far each request is. Ids, times and random values are left out.
   */
  async describeState(): Promise<string> {
    const rows = await this.readRows();
    const owner = rows.key?.attempt;
    const requests = ['first' as const, 'second' as const].map((name) => {
      const action = this.#actions.get(name);
      if (!action) return 'not started';
      if (action.isFinished) return 'finished';
      return [action.position, action.next, action.sentValues.has(owner)];
    });
    const texts = requests.map((request) => JSON.stringify(request)).toSorted();
    return JSON.stringify([texts, describeRows(rows), this.#describeLedger()]);
  }

  /** Describes what is stored, without the requests. */
  async describeStored(): Promise<string> {
    return JSON.stringify([describeRows(await this.readRows()), this.#describeLedger()]);
  }

  #describeLedger() {
    const { ledger } = this.#system;
    return [
      ...this.#intents().map(({ status }) => status),
      ...ledger.events.slice(this.firstEvent).map(({ type }) => type),
    ];
  }

  /** The donor's browser requests the payment intent until it has a response, while the other requests stand still. */
  async requestUntilResponse(): Promise<{ wasLocked: boolean }> {
    const { key } = await this.readRows();
    if (key !== null) await this.checkOtherBody();
    if (key?.isLocked) {
      await this.#checkRefused(this.#request(), 'idempotency_key_in_use');
      await this.#take('expire');
    }
    const response = await this.#send(this.#request());
    assert.equal(response.status, 201, `${this.name}: ${response.text}`);
    await this.checkRepeated();
    await this.checkOtherBody();
    return { wasLocked: key?.isLocked ?? false };
  }

  /** Checks that a request that is repeated gets the stored response, and changes nothing. */
  async checkRepeated(): Promise<void> {
    const before = await this.describeStored();
    const repeated = await this.#send(this.#request());
    assert.equal(repeated.text, this.#intent!.text, `${this.name}: another response`);
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true', this.name);
    assert.equal(await this.describeStored(), before, `${this.name}: a repetition changed rows`);
  }

  /** Checks that a request with another body under the same key is refused, and changes nothing. */
  async checkOtherBody(): Promise<void> {
    const amount_cents = this.amount_cents + 1;
    await this.#checkRefused({ ...this.#request(), amount_cents }, 'idempotency_key_reused');
  }

  /** Runs the requests that have not finished, in the order in which they started. @returns their number */
  async resume(): Promise<number> {
    const unfinished = [...this.#actions.values()].filter(({ isFinished }) => !isFinished);
    for (const action of unfinished) this.#check(await action.finish());
    return unfinished.length;
  }

  /** Abandons the requests that have not finished. */
  async abandon(): Promise<void> {
    for (const name of this.#actions.keys()) await this.#system.processes[name].crash();
  }

  async #checkRefused(request: IntentRequestOptions, code: string): Promise<void> {
    const before = await this.readRows();
    const response = await this.#send(request);
    assert.deepEqual(
      [response.status, response.code],
      [409, code],
      `${this.name}: ${response.text}`,
    );
    const retryAfter = Number(response.headers.get('retry-after'));
    assert.equal(retryAfter > 0, code === 'idempotency_key_in_use', `${this.name}: ${retryAfter}`);
    assert.deepEqual(await this.readRows(), before, `${this.name}: a refused request changed rows`);
  }

  async #take(step: Step): Promise<void> {
    if (step === 'expire') return await this.#expireLock();
    const action = this.#actions.get(step) ?? (await this.#start(step));
    await action.step();
    if (!action.result) return;
    const { status, code } = this.#check(action.result);
    if (status === 409) assert.equal(code, 'idempotency_key_in_use', this.name);
  }

  /** Starts a request. Its first operation reads its credential, on which no other request has an effect. */
  async #start(name: 'first' | 'second'): Promise<SteppedAction<IntentResponse>> {
    const process = this.#system.processes[name];
    const action = await process.start(() => process.createIntent(this.#request()));
    this.#actions.set(name, action);
    await action.step();
    return action;
  }

  async #send(request: IntentRequestOptions): Promise<IntentResponse> {
    const { otherProcess } = this.#system;
    const response = (await otherProcess.run(() => otherProcess.createIntent(request)))!;
    return this.#check(response);
  }

  /** Checks a response: no two have different payment intents, and the processor has no second one. */
  #check(response: IntentResponse): IntentResponse {
    const { status, intent } = response;
    assert.ok([201, 409].includes(status), `${this.name}: ${response.text}`);
    if (status === 201) {
      this.#intent ??= response;
      assert.deepEqual(intent, this.intent, `${this.name}: two payment intents were returned`);
    }
    assert.ok(this.#intents().length <= 1, `${this.name}: two payment intents exist`);
    return response;
  }

  #intents = () => [...this.#system.ledger.intents.values()].slice(this.#firstIntent);

  #request = () => {
    const { token } = this.#system;
    return { token, key: this.#key, amount_cents: this.amount_cents };
  };

  /** Reads everything that requests write, apart from their rate limit. */
  async readRows(): Promise<Rows> {
    const { db, credentialId } = this.#system;
    const ids = this.#intents().map(({ paymentIntentId }) => paymentIntentId);
    const { rows } = await sql<Rows>`select
      (select jsonb_build_object('attempt', attempt_id, 'status', status,
          'isLocked', status is null and locked_until > clock_timestamp(), 'hasBody', encrypted_body is not null)
        from idempotency_key where credential_id = ${credentialId}) as key,
      (select jsonb_agg(exists (select from donation where donation.reference = reserved_reference.reference))
        from reserved_reference) as references,
      (select jsonb_agg(is_taken) from processor_turn) as turns,
      (select jsonb_agg(jsonb_build_object('status', status, 'failed', failed_attempts, 'source', source,
          'isOfKey', source_id = ${credentialId}, 'isAmount', amount_cents = ${this.amount_cents},
          'isReserved', reference in (select reference from reserved_reference)))
        from payment_intent where id = any(${ids})) as intents,
      (select count(*)::int from donation where processor_payment_intent_id = any(${ids})) as donations
    `.execute(db);
    return rows[0]!;
  }

  async #expireLock(): Promise<void> {
    const { db } = this.#system;
    const past = { locked_until: new Date(0) };
    await db.updateTable('idempotency_key').set(past).where('key', '=', this.#key).execute();
  }

  /** Deletes what the requests of other paths have written, and the rate limit, which this test exceeds. */
  #deleteOtherPaths = () =>
    sql`with keys as (delete from idempotency_key), turns as (delete from processor_turn),
      "references" as (delete from reserved_reference)
      delete from request_budget`.execute(this.#system.db);
}

/** Rows without the id of the attempt, which is random. */
const describeRows = ({ key, ...rows }: Rows) => ({ ...rows, key: key && { ...key, attempt: '' } });
