import type { Component, PageSession } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { ConnectSessionEvent } from '../table-events.ts';
import { call, type Call } from './http.ts';

/** Renewed this long before its end, so that no read meets it. */
const RENEW_BEFORE_MS = 120_000;
/** A visitor's clock may be wrong: whatever it says, a session is not asked for more often. */
const MIN_LIFETIME_MS = 30_000;

/** What a table needs to read: a token, its end, and where to read with it. */
export type TableSession = Pick<PageSession, 'token' | 'expires_at' | 'api_base'> &
  Partial<Pick<PageSession, 'masks' | 'organization_id' | 'organization_name' | 'components'>>;

/** The page's own way to a session; `signal` says that nobody waits for it any more. */
export type FetchSession = (signal: AbortSignal) => Promise<TableSession>;

/** Where a session comes from: the page's own function, or a server with a viewer's token. */
export interface SessionSource {
  server: string;
  viewerToken: string | null;
  fetchSession?: FetchSession | undefined;
}

interface SessionUser {
  readonly component: Component;
  /** Draws anew: what the session keeps back is known. */
  hostConnected(): void;
  /** The viewer has signed out: nothing may stay on the screen, and nothing can be read. */
  beginAnew(): void;
}

/**
 * One leave to read, shared by every table on the page that shows the same viewer's data.
 *
 * Tables that appear together are asked for together; a later one widens the leave for all. The
 * token lives here only, in memory.
 */
export class ComponentSession {
  static readonly #shared = new Map<string, ComponentSession>();

  /** The session of this server and viewer. */
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

  /** What it keeps back of people; unknown until it is there. */
  masks?: readonly string[];
  /** The organization's, where the API tells; known with the first rows, too. */
  timeZone: string | null = null;
  /** A viewer's token is on its way (`viewer-token=""`): until it is there nothing is requested. */
  get waits(): boolean {
    const { fetchSession, viewerToken } = this.source;
    return !fetchSession && !viewerToken && viewerToken !== null;
  }
  /** A renewed token takes the place of the one before it. */
  readonly source: SessionSource;
  /** What a read waits for; undefined where the next one asks for it. */
  minted: Promise<TableSession> | undefined;
  /**
   * Goes on with what an element now says, where that is the same viewer's; there once a table has
   * all its files, and until the viewer signs out: `tables/session-renewal.ts`
   */
  renew?: ((element: HTMLElement & SessionSource) => boolean) | undefined;
  readonly #target: EventTarget;
  readonly #users = new Set<SessionUser>();
  #removeShared = () => {};
  #abort = new AbortController();
  #mintedComponents = '';
  #renewAt = 0;
  #wasMinted = false;

  /** @param target told of every renewal, and of the end */
  constructor(source: SessionSource, target: EventTarget) {
    this.source = source;
    this.#target = target;
  }

  /** A table takes part, from before its first read until `leave`. */
  join(user: SessionUser) {
    this.#users.add(user);
  }

  leave(user: SessionUser) {
    this.#users.delete(user);
    if (this.#users.size === 0) this.#removeShared();
  }

  /** Signs out: the token is forgotten, what is on its way is given up, tables are cleared. */
  end() {
    this.#abort.abort();
    this.minted = this.renew = undefined;
    this.#removeShared();
    for (const user of this.#users) user.beginAnew();
  }

  /** Reads from the API, with a fresh token where the old one has ended; repeated once. */
  async read<Answer>(
    component: Component,
    path: string,
    signal: AbortSignal,
    request: (url: string, options: Call) => Promise<Answer> = call,
  ): Promise<Answer> {
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
        if (isUnauthorized(error)) this.#target.dispatchEvent(new ConnectSessionEvent('expired'));
      });
      this.minted = minting;
    }
    return this.minted;
  }

  async #mint(): Promise<TableSession> {
    this.#renewAt = Infinity; // Nobody mints beside this one.
    this.#mintedComponents = 'donations,donors,payouts'; // Whoever joins in this turn is in it.
    const { server, viewerToken, fetchSession } = this.source;
    const { signal } = this.#abort;
    await new Promise((resolve) => setTimeout(resolve));
    let session;
    if (fetchSession) session = await fetchSession(signal);
    else {
      const components = new Set([...this.#users].map((user) => user.component));
      this.#mintedComponents = [...components].sort().join('","');
      session = await call<PageSession>(`${server}/component-sessions`, {
        // Written out: on some pages lists have a `toJSON` of their own.
        body: `{"components":["${this.#mintedComponents}"]}`,
        token: viewerToken ?? undefined,
        signal,
      });
    }
    signal.throwIfAborted();
    this.masks = session.masks ?? [];
    for (const user of this.#users) user.hostConnected();
    const end = Date.parse(session.expires_at);
    this.#renewAt = Math.max(end - RENEW_BEFORE_MS, Date.now() + MIN_LIFETIME_MS);
    if (this.#wasMinted) this.#target.dispatchEvent(new ConnectSessionEvent('refreshed'));
    this.#wasMinted = true;
    return session;
  }
}

const isUnauthorized = (error: unknown) =>
  error instanceof ConnectError && error.type === 'unauthorized';
