import { COMPONENT_SCOPE, type Component } from '@connect-embed/contract';
import type { Credential } from '../auth/credential.ts';
import { maskResource } from '../least-data/mask.ts';
import type { News, ReadLog } from './log.ts';
import type { Position } from './position.ts';
import type { Resource } from './resources.ts';
import type { LiveStream } from './stream.ts';

/** Soon enough that nobody notices, when an earlier transaction is still to be committed. */
const LOOK_AGAIN_MS = 100;

/** What a feed asks of the database. */
export interface FeedSource {
  log: ReadLog;
  resources(
    organizationId: string,
    changes: News['changes'] & {},
  ): Promise<ReadonlyMap<string, Resource>>;
  /** The sessions that may still read. */
  sessions(ids: string[]): Promise<Credential[]>;
  failed(error: unknown): void;
}

/** A stream, with what it is to hear of and for whom. */
export interface Listener {
  stream: LiveStream;
  credential: Credential;
  components: readonly Component[];
}

const COMPONENT_OF: Readonly<Record<string, Component>> = {
  donation: 'donations',
  donor: 'donors',
  payout: 'payouts',
};

/** What one organization's streams on this process hear: read once for all of them. */
export class Feed {
  readonly #organizationId: string;
  readonly #source: FeedSource;
  readonly #listeners = new Set<Listener>();
  #position: Position | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #woken = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(organizationId: string, source: FeedSource) {
    this.#organizationId = organizationId;
    this.#source = source;
  }

  get size() {
    return this.#listeners.size;
  }

  /** Begins a stream: with what it missed since `from`, and then with all that comes. */
  join(listener: Listener, from: Position | undefined): Promise<void> {
    return this.#inTurn(async () => {
      const news = await this.#source.log(this.#organizationId, from);
      const resumed = from !== undefined && news.changes !== undefined;
      listener.stream.open(resumed, news.end);
      if (resumed) await this.#tell(news, [listener]);
      listener.stream.reach(news.end);
      listener.stream.beat();
      if (!listener.stream.isOpen) return; // It has gone meanwhile.
      if (this.size === 0) this.#position = news.end;
      this.#listeners.add(listener);
      if (news.pending) this.#lookAgain();
    });
  }

  leave(listener: Listener) {
    this.#listeners.delete(listener);
    if (this.size === 0) clearTimeout(this.#again);
  }

  /** Something may have changed. */
  wake() {
    if (this.#woken) return;
    this.#woken = true;
    void this.#inTurn(async () => {
      this.#woken = false;
      await this.#read();
    }).catch(this.#source.failed);
  }

  async #read() {
    if (this.size === 0) return;
    const news = await this.#source.log(this.#organizationId, this.#position);
    if (news.changes?.length !== 0) await this.dismiss();
    const listeners = [...this.#listeners];
    if (news.changes) await this.#tell(news, listeners);
    else for (const { stream } of listeners) stream.reset(news.end);
    for (const { stream } of listeners) stream.reach(news.end);
    this.#position = news.end;
    if (news.pending) this.#lookAgain();
  }

  /** Ends the streams of sessions that may read no more: a revoked key tells nothing further. */
  async dismiss() {
    const ids = new Set([...this.#listeners].map(({ credential }) => credential.id));
    if (ids.size === 0) return;
    const valid = new Map((await this.#source.sessions([...ids])).map((one) => [one.id, one]));
    for (const listener of [...this.#listeners]) {
      const credential = valid.get(listener.credential.id);
      if (credential) listener.credential = credential;
      else listener.stream.end('expired');
    }
  }

  /** Signs of life. */
  beat() {
    for (const { stream } of this.#listeners) stream.beat();
  }

  end(reason: 'stopping') {
    for (const { stream } of [...this.#listeners]) stream.end(reason);
  }

  async #tell({ changes = [] }: News, listeners: readonly Listener[]) {
    const wanted = changes.filter(({ kind }) => listeners.some((one) => hears(one, kind)));
    if (wanted.length === 0) return;
    const resources = await this.#source.resources(this.#organizationId, wanted);
    for (const listener of listeners) {
      const { masks } = listener.credential;
      for (const { kind, id, at } of wanted) {
        const resource = resources.get(id);
        if (!resource || !hears(listener, kind)) continue;
        const shown = masks?.size ? maskResource(resource, masks) : resource;
        listener.stream.tell(kind, JSON.stringify(shown), at);
      }
    }
  }

  #lookAgain() {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.wake(), LOOK_AGAIN_MS).unref();
  }

  /** One after the other, so that no stream is told of anything out of turn. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const acting = this.#work.then(act);
    this.#work = acting.catch(() => {});
    return acting;
  }
}

function hears({ components, credential }: Listener, kind: string): boolean {
  const component = COMPONENT_OF[kind];
  return (
    component !== undefined &&
    components.includes(component) &&
    credential.scopes.has(COMPONENT_SCOPE[component])
  );
}
