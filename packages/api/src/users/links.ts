/** Tokens go into the query: paths are written to logs, by us and by proxies, queries are not by us. */
const link = (baseUrl: string, path: string, token: string) =>
  `${baseUrl}${path}?${new URLSearchParams({ token })}`;

/** Where an invitation is answered. */
export const INVITATION_PATH = '/invitation';
/** Where a new password is chosen. */
export const RESET_PATH = '/reset-password';

export const invitationLink = (baseUrl: string, token: string) =>
  link(baseUrl, INVITATION_PATH, token);
export const resetLink = (baseUrl: string, token: string) => link(baseUrl, RESET_PATH, token);
