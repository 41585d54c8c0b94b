import { ConnectError, type Component } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Credential } from '../http/credential.ts';
import { findComponentSessions } from '../auth/session.ts';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { Prepare } from '../db/prepared.ts';
import { newId } from '../lib/id.ts';
import { Feed, type Subscriber } from './feed.ts';
import { openChangeLog } from './change-log.ts';
import { renewSlots, releaseSlots, takeSlot } from './stream-slots.ts';
import type { LogPosition } from './log-position.ts';
import { loadChangedResources } from './resources.ts';
import { LiveStream } from './stream.ts';

/** Heartbeat interval. Proxies close connections that are silent for a minute, some after 30 seconds. */
const HEARTBEAT_MS = 15_000;
/**
 * The polls of the change log: the interval of each poll, and the maximum age of the changes that
 * it finds: docs/decisions/0058-live-tables.md
 *
 * The first poll finds recent commits. The second poll finds changes that the first one has missed
 * because a transaction took long to commit or the database was slow.
 */
const POLLS = [
  { intervalMs: 500, lookBackSeconds: 2 },
  { intervalMs: 5_000, lookBackSeconds: 300 },
];
/** Maximum number of streams in one process. More streams would slow down its other requests. */
const MAX_STREAMS = 5_000;
const RETRY_AFTER_SECONDS = 30;

interface LiveDeps {
  db: Db;
  prepare: Prepare;
  log: Pick<Logger, 'warn'>;
}

/** The live streams of this process (`GET /live`): docs/decisions/0058-live-tables.md */
export class LiveStreams {
  readonly #deps: LiveDeps;
  readonly #process = newId('prc');
  readonly #feeds = new Map<string, Feed>();
  readonly #openStreams = new Map<string, LiveStream>();
  readonly #readLog: ReturnType<typeof openChangeLog>;
  #timers: ReturnType<typeof setInterval>[] = [];
  #stopped = false;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#readLog = openChangeLog(deps.prepare);
  }

  /**
   * Opens a stream for a component session.
   *
   * @param startPosition the position where an earlier stream ended. If it is missing or has
   *   expired, or if there were too many changes since, the first event contains `resumed: false`
   * @throws {ConnectError} `unavailable` while the process stops, or if it has MAX_STREAMS
   */
  async open(
    credential: Credential & { expiresAt: Date },
    components: readonly Component[],
    startPosition: LogPosition | undefined,
  ): Promise<ReadableStream<Uint8Array>> {
    if (this.#stopped || this.#openStreams.size >= MAX_STREAMS) throw tooManyStreamsError();
    const { db } = this.#deps;
    const organizationId = credential.organization.id;
    const id = newId('ls');
    const slot = { id, process: this.#process, session_id: credential.id };
    const feed = this.#feedOf(organizationId);
    const stream = new LiveStream(credential.expiresAt, () => {
      this.#openStreams.delete(id);
      feed.leave(subscriber);
      if (!this.#stopped) releaseSlots(db, [id]).catch(this.#logError);
      this.#stopTimers();
    });
    const subscriber: Subscriber = { stream, credential, components };
    this.#openStreams.set(id, stream);
    this.#startTimers();
    try {
      await takeSlot(db, { ...slot, organization_id: organizationId });
      await feed.join(subscriber, startPosition);
    } catch (error) {
      stream.end('stopping');
      throw error;
    }
    return stream.body;
  }

  /** Ends every stream with the reason `stopping`, so that clients reconnect to another process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ids = [...this.#openStreams.keys()];
    for (const stream of [...this.#openStreams.values()]) stream.end('stopping');
    if (ids.length) await releaseSlots(this.#deps.db, ids).catch(this.#logError);
  }

  #feedOf(organizationId: string): Feed {
    const existing = this.#feeds.get(organizationId);
    if (existing) return existing;
    const { db } = this.#deps;
    const feed = new Feed(organizationId, {
      readLog: this.#readLog,
      loadResources: (organizationId, changes) => loadChangedResources(db, organizationId, changes),
      findValidSessions: (ids) => findComponentSessions(db, ids),
      onError: this.#logError,
    });
    this.#feeds.set(organizationId, feed);
    return feed;
  }

  /** Starts the timers unless they are running already. */
  #startTimers() {
    if (this.#timers.length) return;
    this.#timers = [
      ...POLLS.map(({ intervalMs, lookBackSeconds }) =>
        this.#startInterval(intervalMs, () => this.#poll(lookBackSeconds)),
      ),
      this.#startInterval(HEARTBEAT_MS, () => this.#sendHeartbeats()),
    ];
  }

  #stopTimers() {
    if (this.#openStreams.size) return;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    this.#feeds.clear();
  }

  /** Runs a task at an interval, skipping a run while the previous one is still running. */
  #startInterval(ms: number, task: () => Promise<void>) {
    let running = false;
    return setInterval(() => {
      if (running) return;
      running = true;
      void task()
        .catch(this.#logError)
        .finally(() => (running = false));
    }, ms).unref();
  }

  /** Schedules a read in the feed of each organization that has changes from the last `seconds`. */
  async #poll(seconds: number) {
    const since = sql<Date>`now() - ${sql.lit(seconds)} * interval '1 second'`;
    const changed = await acrossOrganizations(this.#deps.db)
      .selectFrom('resource_change')
      .select('organization_id')
      .distinct()
      .where('created_at', '>', since)
      .execute();
    for (const { organization_id } of changed) this.#feeds.get(organization_id)?.scheduleRead();
  }

  /**
   * Sends heartbeats, and ends streams whose session is no longer valid or whose slot was taken by a
   * newer stream.
   */
  async #sendHeartbeats() {
    const validSlotIds = await renewSlots(this.#deps.db, this.#process);
    for (const [id, stream] of [...this.#openStreams]) {
      if (!validSlotIds.has(id) && stream.position) stream.end('replaced');
    }
    const unusedSlotIds = [...validSlotIds].filter((id) => !this.#openStreams.has(id));
    if (unusedSlotIds.length) await releaseSlots(this.#deps.db, unusedSlotIds);
    for (const feed of this.#feeds.values()) {
      await feed.endInvalidStreams();
      feed.sendHeartbeats();
    }
  }

  readonly #logError = (error: unknown) =>
    // Only the message is logged, because `pg` attaches the whole connection to the error.
    this.#deps.log.warn({ error: String(error) }, 'live streams are delayed');
}

const tooManyStreamsError = () =>
  new ConnectError('unavailable', 'Too many live streams are open. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
