import type { FormSession } from '@connect-embed/contract';
import { embedSessionUrl, takePrefetchedSession } from '../shared/page-state.ts';

/** Timeout of one request. Long enough for a phone with a slow connection. */
const TIMEOUT_MS = 15_000;

/** Opens a session whose first request has failed: `session-recovery.ts`. */
export type RecoverSession = (
  session: EmbedSession,
  firstRequest: Promise<Response>,
  signal: AbortSignal,
) => Promise<FormSession>;

/**
 * An embed session: the token with which the visitor may donate through one form of one server.
 * `server/routes/embed-sessions.ts`
 */
export class EmbedSession {
  readonly server: string;
  readonly form: string | null;
  /** Bearer token of the session. Deleted when the server no longer accepts it. */
  token: string | undefined;

  constructor(server: string, form: string | null) {
    this.server = server;
    this.form = form;
  }

  /**
   * Opens the session, with the response that the loader has requested in advance, if there is one.
   *
   * @param importRecovery loads the code for a failure, because sessions seldom fail
   * @throws {Failure} after retries, with the server's error type
   * @throws {TypeError} if also the code for a failure cannot be loaded
   */
  async open(
    signal: AbortSignal,
    importRecovery: () => Promise<{ recoverSession: RecoverSession }>,
  ): Promise<FormSession> {
    const { server, form } = this;
    const request = takePrefetchedSession(server, form) ?? this.request(signal);
    const response = await request.catch(() => {});
    if (response?.ok) return this.accept(response);
    const { recoverSession } = await importRecovery();
    return recoverSession(this, request, signal);
  }

  /** Requests another session. */
  request(signal: AbortSignal): Promise<Response> {
    return fetch(embedSessionUrl(this.server, this.form), {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  }

  /** Takes the token of a successful response. */
  async accept(response: Response): Promise<FormSession> {
    const session = (await response.json()) as FormSession;
    this.token = session.session_token;
    return session;
  }
}
