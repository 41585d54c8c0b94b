import type { ComponentSession } from '@connect-embed/contract';
import type { OpenedSession } from './open-session.ts';

/**
 * How many pages share one API session. One session per page would cost the credential a request
 * per page view; more pages would exceed the session's 120 requests a minute.
 */
const PAGES_PER_SESSION = 5;
/** Minimum remaining lifetime of a session that is returned to a page. */
const MIN_REMAINING_MS = 30 * 60_000;

type Opened = OpenedSession<ComponentSession>;

/**
 * Returns a function that shares component sessions (API sessions for tables) among visitors of public pages. Its
 * arguments are the components, masks and organization of a session, by which it is shared, and how to open one.
 */
export function publicSessions(now: () => number) {
  const sessions = new Map<string, { openedSession: Promise<Opened>; pages: number }>();
  return async function getOrOpen(scope: object, open: () => Promise<Opened>): Promise<Opened> {
    const key = JSON.stringify(scope);
    const existing = sessions.get(key);
    if (existing && existing.pages < PAGES_PER_SESSION) {
      existing.pages += 1;
      const openedSession = await existing.openedSession;
      if (openedSession.expiresAt - now() > MIN_REMAINING_MS) return openedSession;
    }
    const replacement = sessions.get(key);
    if (replacement && replacement !== existing) return await getOrOpen(scope, open); // A concurrent call has replaced it already.
    const openedSession = open();
    sessions.set(key, { openedSession, pages: 1 });
    openedSession.catch(() => sessions.delete(key));
    return await openedSession;
  };
}
