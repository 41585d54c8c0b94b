import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** A URL that webhook events must not be sent to. The message may be shown to the caller. */
export class RefusedUrlError extends Error {
  override readonly name = 'RefusedUrlError';
}

/** Resolves all addresses of a host name. Replaced in tests. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** Short, because an attempt has 20 seconds in total. */
const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;
/** More addresses are ignored: a hostile name server could return thousands. */
const MAX_ADDRESSES = 16;

/** Top-level names that are local or private by convention. */
const PRIVATE_SUFFIXES = new Set(
  'alt corp home internal intranet invalid lan local localdomain localhost onion private test'.split(
    ' ',
  ),
);

export interface HostOptions {
  /** `host:port` that may be private and use http, for development. */
  allowHosts?: readonly string[];
  /** Name servers instead of the machine's own: `9.9.9.9`, `127.0.0.1:5353`. */
  nameServers?: readonly string[];
  lookup?: Lookup;
}

/**
 * Protection against server-side request forgery: decides which hosts webhook events may be sent to
 * (spec: Events, rule 2; docs/decisions/0008-webhooks.md).
 */
export class PublicHosts {
  readonly #allowed: ReadonlySet<string>;
  readonly #lookup: Lookup;

  constructor({ allowHosts = [], nameServers, lookup }: HostOptions = {}) {
    this.#allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
    this.#lookup = lookup ?? ((hostname) => resolveDirectly(hostname, nameServers));
  }

  /** Whether the configuration allows this host to be private and to use http. */
  allows(hostname: string, port: string): boolean {
    return this.#allowed.has(`${hostname}:${port}`);
  }

  /**
   * Checks the text of a URL, including a literal address, without resolving its host.
   *
   * @throws {RefusedUrlError}
   */
  parseAllowedUrl(text: string): URL {
    const url = URL.parse(text);
    // The parser removes line breaks and replaces \ by /, so such a URL is ambiguous.
    if (!url || /[\s\\\p{Cc}]/u.test(text)) throw new RefusedUrlError('must be a URL.');
    if (url.username || url.password) {
      throw new RefusedUrlError('must not contain a user name or password.');
    }
    if (/^https?:$/.test(url.protocol) && this.allows(url.hostname, portOf(url))) return url;
    if (url.protocol !== 'https:') throw new RefusedUrlError('must use https.');
    if (url.port) throw new RefusedUrlError('must use port 443.');
    checkHostname(url.hostname, text);
    return url;
  }

  /**
   * Resolves the addresses to connect to. If any of them is private, the host is rejected (DNS
   * rebinding).
   *
   * @throws {RefusedUrlError} without the resolved addresses
   */
  async resolve(hostname: string): Promise<string[]> {
    const addresses = await this.#lookup(hostname).catch(() => []);
    if (addresses.length === 0)
      throw new RefusedUrlError('must have a host name that can be resolved.');
    if (!addresses.every(isPublicAddress)) throw hostNotPublic();
    return addresses.slice(0, MAX_ADDRESSES);
  }

  /**
   * Checks a URL that is being registered: its text, and the current addresses of its host.
   *
   * @throws {RefusedUrlError}
   */
  async check(text: string): Promise<void> {
    const url = this.parseAllowedUrl(text);
    if (isIP(withoutBrackets(url.hostname)) || this.allows(url.hostname, portOf(url))) return;
    await this.resolve(url.hostname);
  }
}

/** The port of a URL, or the default port of its protocol. */
export const portOf = ({ port, protocol }: { port: string; protocol: string }) =>
  port || (protocol === 'https:' ? '443' : '80');

/** `[::1]` is the notation of the address `::1` in a URL. */
export const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

export const hostNotPublic = () => new RefusedUrlError('must have a public host.');

function checkHostname(hostname: string, text: string): void {
  const ipLiteral = withoutBrackets(hostname);
  if (isIP(ipLiteral)) {
    // The parser accepts 0x08080808 and 010.8.8.8 as addresses. These forms are only used to bypass
    // filters.
    const isCanonicalLiteral = isIP(ipLiteral) === 6 || text.includes(ipLiteral);
    if (!isCanonicalLiteral || !isPublicAddress(ipLiteral)) throw hostNotPublic();
    return;
  }
  const labels = hostname.replace(/\.$/, '').split('.');
  const topLevelDomain = labels.at(-1) ?? '';
  if (labels.length < 2 || PRIVATE_SUFFIXES.has(topLevelDomain) || topLevelDomain === 'arpa')
    throw hostNotPublic();
}

/**
 * Queries the name servers directly, for A and AAAA records.
 *
 * `dns.lookup` would run on one of the four threads of the process, so that a few unresponsive name
 * servers block everything. It also uses the hosts file and search domains, which must not apply to
 * public names.
 */
async function resolveDirectly(hostname: string, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });
  if (servers) resolver.setServers(servers);
  const noAddresses = (): string[] => [];
  const [v4, v6] = await Promise.all([
    resolver.resolve4(hostname).catch(noAddresses),
    resolver.resolve6(hostname).catch(noAddresses),
  ]);
  return [...v4, ...v6];
}
