import type { ComponentSession } from '@connect-embed/contract';
import type { OpenedSession } from './open-session.ts';

/**
 * How many pages share one API session. One session per page would cost the credential a request
 * per page view; more pages would exceed the session's 120 requests a minute.
 */
const PAGES_PER_SESSION = 5;
/** Minimum remaining lifetime of a session that is returned to a page. */
const MIN_REMAINING_MS = 30 * 60_000;

interface SharedSession {
  openedSession: Promise<OpenedSession<ComponentSession>>;
  pages: number;
}

/** Shares component sessions (API sessions for tables) among visitors of public pages. */
export class PublicSessions {
  readonly #now: () => number;
  readonly #sessions = new Map<string, SharedSession>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns a shared session of this scope or opens a new one.
   *
   * @param scope components, masks and organization of the session; equal scopes share sessions
   * @param open creates a new session
   */
  async getOrCreate(
    scope: object,
    open: () => Promise<OpenedSession<ComponentSession>>,
  ): Promise<OpenedSession<ComponentSession>> {
    const key = JSON.stringify(scope);
    const existing = this.#sessions.get(key);
    if (existing && existing.pages < PAGES_PER_SESSION) {
      existing.pages += 1;
      const openedSession = await existing.openedSession;
      if (openedSession.expiresAt - this.#now() > MIN_REMAINING_MS) return openedSession;
    }
    const replacement = this.#sessions.get(key);
    if (replacement && replacement !== existing) return await this.getOrCreate(scope, open); // A concurrent call has replaced it already.
    const openedSession = open();
    this.#sessions.set(key, { openedSession, pages: 1 });
    openedSession.catch(() => this.#sessions.delete(key));
    return await openedSession;
  }
}
