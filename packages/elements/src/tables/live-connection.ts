import type { Component } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import type { ComponentSession } from '../internal/component-session.ts';
import { listen } from './live-events.ts';
import type { Resource } from './table-element.ts';

/** A table that wants to hear of changes. */
export interface Listener {
  readonly component: Component;
  /** Something may have been missed: what is shown is to be read anew. */
  catchUp(): void;
  /** A resource as it is now. */
  changed(row: Resource): void;
  /** Changes come by themselves; or, when false, whoever wants to know must ask. */
  flows(is: boolean): void;
}

/** After failures it tries less and less often, down to this. */
const LONGEST_PAUSE_MS = 60_000;
/** Where there is no stream to be had, it is tried again so much later. */
const NO_STREAM_PAUSE_MS = 5 * 60_000;
/** Everybody was cut at once, and must not return at once. */
const SPREAD_MS = 2_000;

/** Tables of a page appear within so long, and are heard of together. */
const TOGETHER_MS = 100;

/** An older server, or a page that may not. */
const NONE = new Set([
  'not_found',
  'forbidden',
  'insufficient_scope',
  'invalid_request',
  'method_not_allowed',
]);

const COMPONENT_OF: Readonly<Record<string, Component>> = {
  donation: 'donations',
  donor: 'donors',
  payout: 'payouts',
};

/**
 * One stream for all tables that share a session.
 *
 * It rests while nobody sees the page, and goes on where it ended: nothing is missed, and nothing comes twice.
 */
export class LiveConnection {
  static readonly #all = new WeakMap<ComponentSession, LiveConnection>();

  static of(session: ComponentSession): LiveConnection {
    const known = this.#all.get(session) ?? new LiveConnection(session);
    this.#all.set(session, known);
    return known;
  }

  readonly #session: ComponentSession;
  readonly #listeners = new Set<Listener>();
  /** Those who have missed nothing since the stream began. */
  readonly #settled = new Set<Listener>();
  #attempt: AbortController | undefined;
  #asked = '';
  #lastEventId = '';
  #failures = 0;
  #open = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: ComponentSession) {
    this.#session = session;
  }

  join(listener: Listener) {
    if (this.#listeners.size === 0) document.addEventListener('visibilitychange', this.#seen);
    this.#listeners.add(listener);
    if (this.#components !== this.#asked) this.#reconnect(TOGETHER_MS);
    else if (this.#open) this.#settle(listener);
  }

  leave(listener: Listener) {
    this.#listeners.delete(listener);
    this.#settled.delete(listener);
    if (this.#listeners.size) return;
    document.removeEventListener('visibilitychange', this.#seen);
    this.#rest();
    this.#asked = this.#lastEventId = '';
  }

  get #components() {
    return [...new Set([...this.#listeners].map(({ component }) => component))].sort().join();
  }

  readonly #seen = () => (document.hidden ? this.#rest() : this.#reconnect(0));

  #rest() {
    clearTimeout(this.#timer);
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#open = false;
  }

  #reconnect(pauseMs: number) {
    this.#rest();
    this.#asked = this.#components;
    if (document.hidden || !this.#listeners.size) return;
    this.#timer = setTimeout(() => void this.#connect(), pauseMs);
  }

  async #connect() {
    const attempt = (this.#attempt = new AbortController());
    const [{ component }] = this.#listeners as unknown as [Listener];
    const path = `/live?components=${(this.#asked = this.#components)}`;
    let ended: string | undefined;
    try {
      await this.#session.read(component, path, attempt.signal, (url, { token = '' }) =>
        listen(url, {
          token,
          signal: attempt.signal,
          lastEventId: this.#lastEventId,
          reached: (id) => (this.#lastEventId = id),
          heard: ({ event, data }) => {
            if (event === 'end') ended = (JSON.parse(data) as { reason: string }).reason;
            else this.#heard(event, data);
          },
        }),
      );
      if (attempt.signal.aborted) return;
      if (ended === 'replaced') this.#without(NO_STREAM_PAUSE_MS);
      else this.#again(ended === 'expired' ? 0 : Math.random() * SPREAD_MS);
    } catch (error) {
      if (!attempt.signal.aborted) this.#failed(error);
    }
  }

  #heard(event: string | undefined, data: string) {
    const value = JSON.parse(data) as Resource & { resumed?: boolean };
    if (event === 'open' || event === 'reset') {
      this.#open = true;
      this.#failures = 0;
      if (!value.resumed) this.#settled.clear();
      for (const listener of this.#listeners) this.#settle(listener);
      return;
    }
    const component = COMPONENT_OF[event ?? ''];
    for (const listener of this.#listeners) {
      if (listener.component === component) listener.changed(value);
    }
  }

  #settle(listener: Listener) {
    listener.flows(true);
    if (!this.#settled.has(listener)) listener.catchUp();
    this.#settled.add(listener);
  }

  /** It was open, and ended: mostly it is there again before anybody notices. */
  #again(pauseMs: number) {
    if (this.#open) this.#reconnect(pauseMs);
    else this.#failed(undefined);
  }

  #failed(error: unknown) {
    const { type, retryAfterSeconds = 0 } = error instanceof ConnectError ? error : { type: '' };
    if (NONE.has(type)) return this.#without(NO_STREAM_PAUSE_MS);
    const wasOpen = this.#open;
    this.#failures += 1;
    const backOff = Math.min(2 ** this.#failures * 500, LONGEST_PAUSE_MS);
    const pauseMs = Math.max(retryAfterSeconds * 1000, backOff * (0.5 + Math.random()));
    if (wasOpen) this.#reconnect(pauseMs);
    else this.#without(pauseMs);
  }

  /** Tables ask for themselves until there is a stream. */
  #without(pauseMs: number) {
    for (const listener of this.#listeners) listener.flows(false);
    this.#reconnect(pauseMs);
  }
}
