const IP_V4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns whether a request for this host name may reach a server that is meant for local use only.
 *
 * It prevents DNS rebinding: a website can let its own name resolve to 127.0.0.1. Browsers then
 * treat its pages and our server as one origin, and its scripts can read our responses. The attack
 * needs a domain name that the attacker owns, so IP addresses and `localhost` with its subdomains
 * are safe.
 *
 * @param hostname as in `URL.hostname`: lower case, an IPv6 address in brackets
 * @param allowed further names; a name that begins with a dot allows all names that end with it
 */
export function isLocalHost(hostname: string, allowed: readonly string[] = []): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  if (hostname.startsWith('[') || IP_V4.test(hostname)) return true;
  return allowed.some((name) =>
    name.startsWith('.') ? hostname.endsWith(name) : hostname === name,
  );
}

/** Parses `ALLOWED_HOSTS`: names separated by commas or spaces. */
export const parseAllowedHosts = (text = ''): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** Error message for a request whose host name is not allowed. */
export const unknownHostMessage = (hostname: string): string =>
  `The host name ${hostname} is not allowed. If it is yours, add it to ALLOWED_HOSTS.`;
