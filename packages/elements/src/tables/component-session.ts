import type { Component, PageSession } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { ConnectSessionEvent } from '../table-events.ts';
import { call, type Call } from '../shared/http.ts';

/** A session is renewed this long before it expires, so that no read fails. */
const RENEW_BEFORE_MS = 120_000;
/**
 * A session is not renewed sooner than this, because a wrong clock could make every session look
 * expired.
 */
const MIN_LIFETIME_MS = 30_000;
/**
 * How long the tables keep loading if the server requires a viewer token and the page has not set one
 * yet. Many pages receive it after their first render, which must not show an error.
 */
const TOKEN_WAIT_MS = 5000;

/** What a table needs to read from the API: a component token, its expiry and the API's base URL. */
export type TableSession = Pick<PageSession, 'token' | 'expires_at' | 'api_base'> &
  Partial<Pick<PageSession, 'masks' | 'organization_id' | 'organization_name' | 'components'>>;

/**
 * The page's own function that fetches a session: it returns the response of the server's
 * `POST /component-sessions`. `signal` aborts when the session is no longer needed.
 */
export type FetchSession = (signal: AbortSignal) => Promise<TableSession>;

/** The source of a session: the page's own function, or a server with a viewer token. */
export interface SessionSource {
  server: string;
  viewerToken: string | null;
  fetchSession?: FetchSession | undefined;
}

interface SessionConsumer {
  readonly component: Component;
  /** Redraws the table: the session's masked fields are now known. */
  redraw(): void;
  /** Clears the table: the viewer has signed out, so nothing may stay visible. */
  reset(): void;
}

/**
 * A component session: a token to read from the API, shared by all tables on the page that show the
 * same viewer's data.
 *
 * Tables that appear together share one request; a table that appears later requests a session with
 * all their components. The token is stored in memory only.
 */
export class ComponentSession {
  static readonly #shared = new Map<string, ComponentSession>();

  /** The shared session of a server and viewer. */
  static of(server: string, viewerToken: string | null): ComponentSession {
    const key = `${server} ${viewerToken}`;
    let session = this.#shared.get(key);
    if (!session) {
      session = new ComponentSession({ server, viewerToken }, document);
      session.#removeShared = () => this.#shared.delete(key);
      this.#shared.set(key, session);
    }
    return session;
  }

  /** Masks of the session, such as `emails`; undefined until the session is loaded. */
  masks?: readonly string[];
  /** The tables that the session may read; undefined until the session is loaded. */
  components?: readonly string[] | undefined;
  /**
   * The organization's time zone, from the API's `Time-Zone` response header. Known after the first
   * read.
   */
  timeZone: string | null = null;
  /**
   * True with an empty `viewer-token` attribute: the page will set the token later, and nothing is
   * requested until then.
   */
  get isWaiting(): boolean {
    const { fetchSession, viewerToken } = this.source;
    return !fetchSession && !viewerToken && viewerToken !== null;
  }
  /** A new viewer token replaces the previous one. */
  readonly source: SessionSource;
  /** The current session, or the request for it. Undefined if the next read must request one. */
  minted: Promise<TableSession> | undefined;
  /**
   * Continues with the source that an element now has, if it is the same viewer's. Set when a table
   * has loaded all its chunks, and removed when the viewer signs out: `tables/session-renewal.ts`
   */
  renew?: ((element: HTMLElement & SessionSource) => boolean) | undefined;
  readonly #target: EventTarget;
  readonly #users = new Set<SessionConsumer>();
  #removeShared = () => {};
  #abort = new AbortController();
  #mintedComponents: readonly Component[] = [];
  #renewAt = 0;
  #wasMinted = false;

  /**
   * @param target the events `connect-session-refreshed` and `connect-session-expired` are
   *   dispatched on it
   */
  constructor(source: SessionSource, target: EventTarget) {
    this.source = source;
    this.#target = target;
  }

  /** Adds a table. Called before its first read; `leave` removes it. */
  join(user: SessionConsumer) {
    this.#users.add(user);
  }

  leave(user: SessionConsumer) {
    this.#users.delete(user);
    if (this.#users.size === 0) this.#removeShared();
  }

  /** Signs out: deletes the token, aborts requests and clears the tables. */
  end() {
    this.#abort.abort();
    this.minted = this.renew = undefined;
    this.#removeShared();
    for (const user of this.#users) user.reset();
  }

  /**
   * Reads from the API. If the API rejects the token, it is renewed and the read is repeated once.
   *
   * @throws {ConnectError} `unauthorized` if the renewed token is rejected too, or the viewer has
   *   signed out
   */
  async read<Body>(
    component: Component,
    path: string,
    signal: AbortSignal,
    request: (url: string, options: Call) => Promise<Body> = call,
  ): Promise<Body> {
    for (let renewed = false; ; renewed = true) {
      if (this.#abort.signal.aborted) throw new ConnectError('unauthorized', 'Signed out.');
      const minted = this.#currentSession(component);
      const { api_base, token } = await minted;
      signal.throwIfAborted();
      try {
        const onHeaders = (headers: Headers) => (this.timeZone = headers.get('time-zone'));
        return await request(`${api_base}${path}`, { token, signal, onHeaders });
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        if (renewed) this.#target.dispatchEvent(new ConnectSessionEvent('expired'));
        if (this.minted === minted) this.minted = undefined;
        if (renewed) throw error;
      }
    }
  }

  #currentSession(component: Component): Promise<TableSession> {
    if (!this.minted || Date.now() > this.#renewAt || !this.#mintedComponents.includes(component)) {
      const minting = this.#mint();
      minting.catch((error: unknown) => {
        if (this.minted === minting) this.minted = undefined;
        // Without users, the page has replaced this session in the meantime.
        if (isUnauthorized(error) && this.#users.size)
          this.#target.dispatchEvent(new ConnectSessionEvent('expired'));
      });
      this.minted = minting;
    }
    return this.minted;
  }

  async #mint(): Promise<TableSession> {
    this.#renewAt = Infinity; // Prevents a second request while this one is pending.
    // Tables that join before the timeout below are included in this request.
    this.#mintedComponents = ['donations', 'donors', 'payouts'];
    const { server, viewerToken, fetchSession } = this.source;
    const { signal } = this.#abort;
    await new Promise((resolve) => setTimeout(resolve));
    let session;
    if (fetchSession) {
      session = await fetchSession(signal);
      requireSession(session);
    } else {
      const components = new Set([...this.#users].map((user) => user.component));
      this.#mintedComponents = [...components].sort();
      session = await call<PageSession>(`${server}/component-sessions`, {
        // Not `JSON.stringify`: some pages' libraries define `Array.prototype.toJSON`.
        body: `{"components":["${this.#mintedComponents.join('","')}"]}`,
        token: viewerToken ?? undefined,
        signal,
      }).catch(waitForToken);
    }
    signal.throwIfAborted();
    this.masks = session.masks ?? [];
    this.components = session.components;
    for (const user of this.#users) user.redraw();
    const end = Date.parse(session.expires_at);
    this.#renewAt = Math.max(end - RENEW_BEFORE_MS, Date.now() + MIN_LIFETIME_MS);
    if (this.#wasMinted) this.#target.dispatchEvent(new ConnectSessionEvent('refreshed'));
    this.#wasMinted = true;
    return session;
  }
}

/**
 * Requires that the page's `fetchSession` has returned a session. The error names the first field that is
 * missing or invalid, but no value, because one of them is a token.
 *
 * @throws {TypeError}
 */
function requireSession(session: TableSession | undefined) {
  if (session?.token && session.api_base && Date.parse(session.expires_at)) return;
  const field = session?.token ? (session.api_base ? 'expires_at' : 'api_base') : 'token';
  throw new TypeError(
    `fetchSession must return the response of POST /component-sessions: ${field} is missing or invalid.`,
  );
}

/** Rejects with the error, but later if the server requires a viewer token. */
async function waitForToken(error: unknown): Promise<never> {
  if (error instanceof ConnectError && error.code === 'credential_missing')
    await new Promise((resolve) => setTimeout(resolve, TOKEN_WAIT_MS));
  throw error;
}

const isUnauthorized = (error: unknown) =>
  error instanceof ConnectError && error.type === 'unauthorized';
