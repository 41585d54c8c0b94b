import { SESSION_LIFETIME_SECONDS, type CallOptions } from '@connect-embed/contract';

/** A session as the API has opened it. */
export interface OpenedSession<Session> {
  session: Session;
  /** Milliseconds of this server's clock, whatever the API's says. */
  expiresAt: number;
}

/**
 * Opens a session of the API, and says when it ends by this server's clock, which may be hours off
 * the API's.
 *
 * @param open the call, with what it takes to see when the API answered
 */
export async function openSession<Session extends { expires_at: string }>(
  now: () => number,
  open: (options: CallOptions) => Promise<Session>,
): Promise<OpenedSession<Session>> {
  const asked = now();
  let date = '';
  const session = await open({ onHeaders: (headers) => (date = headers.get('date') ?? '') });
  return { session, expiresAt: asked + lifetimeMs(session.expires_at, Date.parse(date) || asked) };
}

/**
 * How long a session lasts from when it was asked for. Told as a moment of the API's clock, it is
 * measured by that clock: by this server's own, every session could seem to have ended. Where nobody
 * says what that clock shows, the moment counts if it is to come.
 */
function lifetimeMs(expiresAt: string, apiNow: number): number {
  const maxMs = SESSION_LIFETIME_SECONDS * 1000;
  const statedMs = Date.parse(expiresAt) - apiNow;
  return statedMs > 0 ? Math.min(statedMs, maxMs) : maxMs;
}
