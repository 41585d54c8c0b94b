import type { Component } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import type { ComponentSession } from './component-session.ts';
import { readEventStream } from './event-stream.ts';
import type { Resource } from './column.ts';

/** A table that receives live changes. */
export interface LiveListener {
  readonly component: Component;
  /** Called when events may have been missed: the table reloads its first page. */
  reload(): void;
  /** Called with the current state of a changed resource. */
  rowChanged(row: Resource): void;
  /** Called when the stream opens or fails. While it is down, the table polls. */
  streamChanged(isStreaming: boolean): void;
}

/** Upper limit of the exponential backoff after failures. */
const MAX_BACKOFF_MS = 60_000;
/** Pause before the next attempt when the server has no stream or refuses it. */
const NO_STREAM_RETRY_MS = 5 * 60_000;
/**
 * Random delay before reconnecting. A server that restarts closes all streams at once, and the clients
 * must not reconnect at the same moment.
 */
const RECONNECT_JITTER_MS = 2_000;

/** Delay before connecting, so that all tables of a page share the first stream. */
const JOIN_DELAY_MS = 100;

/**
 * API errors which mean that no stream is available: an older server, or a session without the
 * permission.
 */
const NO_STREAM_ERRORS = new Set([
  'not_found',
  'forbidden',
  'insufficient_scope',
  'invalid_request',
  'method_not_allowed',
]);

const COMPONENT_BY_EVENT: Readonly<Record<string, Component>> = {
  donation: 'donations',
  donor: 'donors',
  payout: 'payouts',
};

/**
 * One server-sent event stream (`GET /live` of the API), shared by all tables of a component session.
 *
 * It is closed while the page is hidden and resumes after the last received event id, so no event is
 * lost or duplicated.
 */
export class LiveConnection {
  static readonly #bySession = new WeakMap<ComponentSession, LiveConnection>();

  static of(session: ComponentSession): LiveConnection {
    const known = this.#bySession.get(session) ?? new LiveConnection(session);
    this.#bySession.set(session, known);
    return known;
  }

  readonly #session: ComponentSession;
  readonly #listeners = new Set<LiveListener>();
  /** Listeners that have missed no event since the stream opened. */
  readonly #upToDate = new Set<LiveListener>();
  #connectAbort: AbortController | undefined;
  #requestedComponents = '';
  #lastEventId = '';
  #failures = 0;
  #open = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: ComponentSession) {
    this.#session = session;
  }

  join(listener: LiveListener) {
    if (this.#listeners.size === 0)
      document.addEventListener('visibilitychange', this.#handleVisibility);
    this.#listeners.add(listener);
    if (this.#components !== this.#requestedComponents) this.#reconnect(JOIN_DELAY_MS);
    else if (this.#open) this.#markUpToDate(listener);
  }

  leave(listener: LiveListener) {
    this.#listeners.delete(listener);
    this.#upToDate.delete(listener);
    if (this.#listeners.size) return;
    document.removeEventListener('visibilitychange', this.#handleVisibility);
    this.#disconnect();
    this.#requestedComponents = this.#lastEventId = '';
  }

  get #components() {
    return [...new Set([...this.#listeners].map(({ component }) => component))].sort().join();
  }

  readonly #handleVisibility = () => (document.hidden ? this.#disconnect() : this.#reconnect(0));

  #disconnect() {
    clearTimeout(this.#timer);
    this.#connectAbort?.abort();
    this.#connectAbort = undefined;
    this.#open = false;
  }

  #reconnect(pauseMs: number) {
    this.#disconnect();
    this.#requestedComponents = this.#components;
    if (document.hidden || !this.#listeners.size) return;
    this.#timer = setTimeout(() => void this.#connect(), pauseMs);
  }

  async #connect() {
    const attempt = (this.#connectAbort = new AbortController());
    const [{ component }] = this.#listeners as unknown as [LiveListener];
    const path = `/live?components=${(this.#requestedComponents = this.#components)}`;
    let ended: string | undefined;
    try {
      await this.#session.read(component, path, attempt.signal, (url, { token = '' }) =>
        readEventStream(url, {
          token,
          signal: attempt.signal,
          lastEventId: this.#lastEventId,
          onEventId: (id) => (this.#lastEventId = id),
          onEvent: ({ event, data }) => {
            if (event === 'end') ended = (JSON.parse(data) as { reason: string }).reason;
            else this.#handleEvent(event, data);
          },
        }),
      );
      if (attempt.signal.aborted) return;
      if (ended === 'replaced') this.#fallBackToPolling(NO_STREAM_RETRY_MS);
      else this.#handleEnd(ended === 'expired' ? 0 : Math.random() * RECONNECT_JITTER_MS);
    } catch (error) {
      if (!attempt.signal.aborted) this.#handleFailure(error);
    }
  }

  #handleEvent(event: string | undefined, data: string) {
    const value = JSON.parse(data) as Resource & { resumed?: boolean };
    if (event === 'open' || event === 'reset') {
      this.#open = true;
      this.#failures = 0;
      if (!value.resumed) this.#upToDate.clear();
      for (const listener of this.#listeners) this.#markUpToDate(listener);
      return;
    }
    const component = COMPONENT_BY_EVENT[event ?? ''];
    for (const listener of this.#listeners) {
      if (listener.component === component) listener.rowChanged(value);
    }
  }

  #markUpToDate(listener: LiveListener) {
    listener.streamChanged(true);
    if (!this.#upToDate.has(listener)) listener.reload();
    this.#upToDate.add(listener);
  }

  /** Handles the end of a stream. One that was open is usually available again immediately. */
  #handleEnd(pauseMs: number) {
    if (this.#open) this.#reconnect(pauseMs);
    else this.#handleFailure(undefined);
  }

  #handleFailure(error: unknown) {
    const { type, retryAfterSeconds = 0 } = error instanceof ConnectError ? error : { type: '' };
    if (NO_STREAM_ERRORS.has(type)) return this.#fallBackToPolling(NO_STREAM_RETRY_MS);
    const wasOpen = this.#open;
    this.#failures += 1;
    const backOff = Math.min(2 ** this.#failures * 500, MAX_BACKOFF_MS);
    const pauseMs = Math.max(retryAfterSeconds * 1000, backOff * (0.5 + Math.random()));
    if (wasOpen) this.#reconnect(pauseMs);
    else this.#fallBackToPolling(pauseMs);
  }

  /** Makes the tables poll until a stream is open again. */
  #fallBackToPolling(pauseMs: number) {
    for (const listener of this.#listeners) listener.streamChanged(false);
    this.#reconnect(pauseMs);
  }
}
