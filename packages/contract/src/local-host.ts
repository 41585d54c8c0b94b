const IP_V4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Whether a server that only this machine's user should reach may answer a request for this host name.
 *
 * A website can let its own name resolve to 127.0.0.1 (DNS rebinding). Browsers then count its pages
 * and ours as one origin, and let its scripts read what we answer. The attack needs a name that the
 * website owns, so these cannot be one: IP addresses, and `localhost` with the names under it.
 *
 * @param hostname as `URL.hostname` says it: lower case, an IPv6 address in brackets
 * @param allowed further names; one that begins with a dot stands for all names that end with it
 */
export function isLocalHost(hostname: string, allowed: readonly string[] = []): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  if (hostname.startsWith('[') || IP_V4.test(hostname)) return true;
  return allowed.some((name) =>
    name.startsWith('.') ? hostname.endsWith(name) : hostname === name,
  );
}

/** Reads `ALLOWED_HOSTS`: names separated by commas or spaces. */
export const parseAllowedHosts = (text = ''): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** What a client reads that asked for a host name that is not allowed. */
export const unknownHostMessage = (hostname: string): string =>
  `Nothing is served under the name ${hostname}. If the name is yours, add it to ALLOWED_HOSTS.`;
