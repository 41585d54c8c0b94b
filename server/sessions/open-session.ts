import { SESSION_LIFETIME_SECONDS, type ResponseHeaders } from '@connect-embed/contract';

/** An API session with its expiry. */
export interface OpenedSession<Session> {
  session: Session;
  /** Time of the expiry in milliseconds, by the clock of this server. */
  expiresAt: number;
}

/**
 * Opens an API session and calculates its expiry by the clock of this server, which may differ from
 * the API's by hours.
 *
 * @param open calls the API with the given options, which read the `Date` header of the response
 */
export async function openSession<Session extends { expires_at: string }>(
  now: () => number,
  open: (options: { onHeaders: (headers: ResponseHeaders) => void }) => Promise<Session>,
): Promise<OpenedSession<Session>> {
  const requestedAt = now();
  let date = '';
  const session = await open({ onHeaders: (headers) => (date = headers.get('date') ?? '') });
  return {
    session,
    expiresAt: requestedAt + lifetimeMs(session.expires_at, Date.parse(date) || requestedAt),
  };
}

/**
 * Returns the lifetime of a session from the time of the request, in milliseconds. `expires_at` is
 * a time of the API's clock, so the `Date` header is subtracted: with the local clock every session
 * could seem to have expired. Without that header `apiNow` is the local time, and an expiry in the
 * past counts as the full lifetime.
 */
function lifetimeMs(expiresAt: string, apiNow: number): number {
  const maxMs = SESSION_LIFETIME_SECONDS * 1000;
  const statedMs = Date.parse(expiresAt) - apiNow;
  return statedMs > 0 ? Math.min(statedMs, maxMs) : maxMs;
}
