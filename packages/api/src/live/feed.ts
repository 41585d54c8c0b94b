import { COMPONENT_SCOPE, type Component } from '@connect-embed/contract';
import type { Credential } from '../http/credential.ts';
import { maskResource } from '../field-masking/mask-resource.ts';
import type { ChangeBatch, ReadChangeLog } from './change-log.ts';
import type { LogPosition } from './log-position.ts';
import type { Resource } from './resources.ts';
import type { LiveStream } from './stream.ts';

/**
 * Delay of the next read while an earlier transaction is still running. It is too short to be
 * noticed.
 */
const REREAD_DELAY_MS = 100;

/** The database queries that a feed uses. */
interface FeedSource {
  readLog: ReadChangeLog;
  loadResources(
    organizationId: string,
    changes: ChangeBatch['changes'] & {},
  ): Promise<ReadonlyMap<string, Resource>>;
  /** Loads the sessions that are still valid. */
  findValidSessions(ids: string[]): Promise<Credential[]>;
  onError(error: unknown): void;
}

/** An open stream, its session and the components that it subscribed to. */
export interface Subscriber {
  stream: LiveStream;
  credential: Credential;
  components: readonly Component[];
}

const COMPONENT_OF: Readonly<Record<string, Component>> = {
  donation: 'donations',
  donor: 'donors',
  payout: 'payouts',
};

/**
 * The live streams (`GET /live`) of one organization in this process: the change log is read once for
 * all of them.
 */
export class Feed {
  readonly #organizationId: string;
  readonly #source: FeedSource;
  readonly #subscribers = new Set<Subscriber>();
  #position: LogPosition | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #readScheduled = false;
  #rereadTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(organizationId: string, source: FeedSource) {
    this.#organizationId = organizationId;
    this.#source = source;
  }

  get size() {
    return this.#subscribers.size;
  }

  /** Opens a stream: sends the changes since `startPosition`, then adds the stream to the feed. */
  join(subscriber: Subscriber, startPosition: LogPosition | undefined): Promise<void> {
    return this.#enqueue(async () => {
      const batch = await this.#source.readLog(this.#organizationId, startPosition);
      const resumed = startPosition !== undefined && batch.changes !== undefined;
      subscriber.stream.open(resumed, batch.end);
      if (resumed) await this.#sendChanges(batch, [subscriber]);
      subscriber.stream.advance(batch.end);
      subscriber.stream.sendHeartbeat();
      if (!subscriber.stream.isOpen) return; // The client disconnected in the meantime.
      if (this.size === 0) this.#position = batch.end;
      this.#subscribers.add(subscriber);
      if (batch.hasPendingTransactions) this.#scheduleReread();
    });
  }

  leave(subscriber: Subscriber) {
    this.#subscribers.delete(subscriber);
    if (this.size === 0) clearTimeout(this.#rereadTimer);
  }

  /** Schedules a read of the change log. Further calls before it runs have no effect. */
  scheduleRead() {
    if (this.#readScheduled) return;
    this.#readScheduled = true;
    void this.#enqueue(async () => {
      this.#readScheduled = false;
      await this.#read();
    }).catch(this.#source.onError);
  }

  async #read() {
    if (this.size === 0) return;
    const batch = await this.#source.readLog(this.#organizationId, this.#position);
    if (batch.changes?.length !== 0) await this.endInvalidStreams();
    const subscribers = [...this.#subscribers];
    if (batch.changes) await this.#sendChanges(batch, subscribers);
    else for (const { stream } of subscribers) stream.reset(batch.end);
    for (const { stream } of subscribers) stream.advance(batch.end);
    this.#position = batch.end;
    if (batch.hasPendingTransactions) this.#scheduleReread();
  }

  /**
   * Ends the streams whose session has expired or was revoked, and updates the credentials of the
   * other streams.
   */
  async endInvalidStreams() {
    const ids = new Set([...this.#subscribers].map(({ credential }) => credential.id));
    if (ids.size === 0) return;
    const valid = new Map(
      (await this.#source.findValidSessions([...ids])).map((session) => [session.id, session]),
    );
    for (const subscriber of [...this.#subscribers]) {
      const credential = valid.get(subscriber.credential.id);
      if (credential) subscriber.credential = credential;
      else subscriber.stream.end('expired');
    }
  }

  /** Sends a heartbeat to all streams. */
  sendHeartbeats() {
    for (const { stream } of this.#subscribers) stream.sendHeartbeat();
  }

  end(reason: 'stopping') {
    for (const { stream } of [...this.#subscribers]) stream.end(reason);
  }

  async #sendChanges({ changes = [] }: ChangeBatch, subscribers: readonly Subscriber[]) {
    const subscribedChanges = changes.filter(({ kind }) =>
      subscribers.some((subscriber) => isSubscribedTo(subscriber, kind)),
    );
    if (subscribedChanges.length === 0) return;
    const resources = await this.#source.loadResources(this.#organizationId, subscribedChanges);
    for (const subscriber of subscribers) {
      const { masks } = subscriber.credential;
      for (const { kind, id, position } of subscribedChanges) {
        const resource = resources.get(id);
        if (!resource || !isSubscribedTo(subscriber, kind)) continue;
        const visibleResource = masks?.size ? maskResource(resource, masks) : resource;
        subscriber.stream.sendChange(kind, JSON.stringify(visibleResource), position);
      }
    }
  }

  #scheduleReread() {
    clearTimeout(this.#rereadTimer);
    this.#rereadTimer = setTimeout(() => this.scheduleRead(), REREAD_DELAY_MS).unref();
  }

  /** Runs tasks one after the other, so that every stream gets changes in order. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    const queued = this.#queue.then(task);
    this.#queue = queued.catch(() => {});
    return queued;
  }
}

function isSubscribedTo({ components, credential }: Subscriber, kind: string): boolean {
  const component = COMPONENT_OF[kind];
  return (
    component !== undefined &&
    components.includes(component) &&
    credential.scopes.has(COMPONENT_SCOPE[component])
  );
}
