import { sign } from 'hono/jwt';

/** The only user of this demo. A real platform has its own user accounts. */
export const USER = 'dana@tideline.example';
/**
 * Lifetime of a viewer token. It is short, so that a leaked token is of little use; the page renews
 * the token in time.
 */
export const VIEWER_TOKEN_SECONDS = 3600;

/** Signs a token that identifies the user of the platform as viewer of the tables. */
export function signViewerToken(secret: string, user = USER): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return sign({ sub: user, iat: now, exp: now + VIEWER_TOKEN_SECONDS }, secret, 'HS256');
}
