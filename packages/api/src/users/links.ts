/**
 * Builds a URL with a secret token. The token is in the query string, because our logs contain
 * paths but no query strings.
 */
const linkWithToken = (baseUrl: string, path: string, token: string) =>
  `${baseUrl}${path}?${new URLSearchParams({ token })}`;

/** Path of the page where an invitation is accepted. */
export const INVITATION_PATH = '/invitation';
/** Path of the page where a new password is set. */
export const RESET_PATH = '/reset-password';

export const invitationLink = (baseUrl: string, token: string) =>
  linkWithToken(baseUrl, INVITATION_PATH, token);
export const resetLink = (baseUrl: string, token: string) =>
  linkWithToken(baseUrl, RESET_PATH, token);
