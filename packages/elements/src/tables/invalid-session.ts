import type { TableSession } from './component-session.ts';

/**
 * Creates the error for an invalid response of the page's `fetchSession`. It names the first field that
 * is missing or invalid. Values are not part of the message, because one of them is a token.
 */
export function invalidSessionError(session: TableSession | undefined): TypeError {
  const field = session?.token ? (session.api_base ? 'expires_at' : 'api_base') : 'token';
  return new TypeError(
    `fetchSession must return the response of POST /component-sessions: ${field} is missing or invalid.`,
  );
}
