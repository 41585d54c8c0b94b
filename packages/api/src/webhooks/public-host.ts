import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Why a URL is not one that notices are sent to; the sentence is fit for whoever registered it. */
export class RefusedUrlError extends Error {
  override readonly name = 'RefusedUrlError';
}

/** Finds every address of a name. Replaced in tests. */
export type LookUp = (hostname: string) => Promise<string[]>;

/** An attempt has 20 s for everything; a name that takes longer than this has failed. */
const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;
/** A host does not need more addresses; a hostile one could name thousands. */
const MAX_ADDRESSES = 16;

/** Names that mean "here" or "inside" wherever they are asked for. */
const PRIVATE_SUFFIXES = new Set(
  'alt corp home internal intranet invalid lan local localdomain localhost onion private test'.split(
    ' ',
  ),
);

export interface HostOptions {
  /** `host:port` that may be http and private, for development on one machine. */
  allowHosts?: readonly string[];
  /** Name servers to ask in place of the machine's own: `9.9.9.9`, `127.0.0.1:5353`. */
  nameServers?: readonly string[];
  lookUp?: LookUp;
}

/** The rule for where notices may go (spec: Events, rule 2): docs/decisions/0008-webhooks.md */
export class PublicHosts {
  readonly #allowed: ReadonlySet<string>;
  readonly #lookUp: LookUp;

  constructor({ allowHosts = [], nameServers, lookUp }: HostOptions = {}) {
    this.#allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
    this.#lookUp = lookUp ?? ((hostname) => resolveDirectly(hostname, nameServers));
  }

  /** Whether the configuration lets this host be private, and plain http. */
  allows(hostname: string, port: string): boolean {
    return this.#allowed.has(`${hostname}:${port}`);
  }

  /**
   * Checks all that can be seen in the text of a URL, literal addresses too.
   *
   * @throws {RefusedUrlError}
   */
  parseAllowedUrl(text: string): URL {
    const url = URL.parse(text);
    // The parser drops line breaks and turns \ into /; what was meant is then a guess.
    if (!url || /[\s\\\p{Cc}]/u.test(text)) throw new RefusedUrlError('must be a URL.');
    if (url.username || url.password) {
      throw new RefusedUrlError('must not carry a user name or password.');
    }
    if (/^https?:$/.test(url.protocol) && this.allows(url.hostname, portOf(url))) return url;
    if (url.protocol !== 'https:') throw new RefusedUrlError('must use https.');
    if (url.port) throw new RefusedUrlError('must use port 443.');
    checkHostname(url.hostname, text);
    return url;
  }

  /**
   * The addresses to connect to. One that is not public spoils all of them: a name that has both
   * is a name on its way inside.
   *
   * @throws {RefusedUrlError} saying nothing about what was found
   */
  async resolve(hostname: string): Promise<string[]> {
    const addresses = await this.#lookUp(hostname).catch(() => []);
    if (addresses.length === 0) throw new RefusedUrlError('the host name cannot be resolved.');
    if (!addresses.every(isPublicAddress)) throw hostNotPublic();
    return addresses.slice(0, MAX_ADDRESSES);
  }

  /**
   * Checks a URL that is to be registered: its text, and where its host is now.
   *
   * @throws {RefusedUrlError}
   */
  async check(text: string): Promise<void> {
    const url = this.parseAllowedUrl(text);
    if (isIP(withoutBrackets(url.hostname)) || this.allows(url.hostname, portOf(url))) return;
    await this.resolve(url.hostname);
  }
}

/** The port that a URL means when it names none. */
export const portOf = ({ port, protocol }: { port: string; protocol: string }) =>
  port || (protocol === 'https:' ? '443' : '80');

/** `[::1]` is how a URL writes the address `::1`. */
export const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

export const hostNotPublic = () => new RefusedUrlError('the host must be public.');

function checkHostname(hostname: string, text: string): void {
  const literal = withoutBrackets(hostname);
  if (isIP(literal)) {
    // 0x08080808 and 010.8.8.8 become an address in the parser; nobody writes that in good faith.
    const isWrittenPlainly = isIP(literal) === 6 || text.includes(literal);
    if (!isWrittenPlainly || !isPublicAddress(literal)) throw hostNotPublic();
    return;
  }
  const labels = hostname.replace(/\.$/, '').split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || PRIVATE_SUFFIXES.has(top) || top === 'arpa') throw hostNotPublic();
}

/**
 * Asks the name servers directly, for both kinds of address.
 *
 * Not `dns.lookup`: that one waits on one of four threads for the whole process, so a few names
 * whose servers never answer would hold up everything; and it reads the hosts file and search
 * domains, which are no business of a public name.
 */
async function resolveDirectly(hostname: string, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });
  if (servers) resolver.setServers(servers);
  const none = (): string[] => [];
  const [v4, v6] = await Promise.all([
    resolver.resolve4(hostname).catch(none),
    resolver.resolve6(hostname).catch(none),
  ]);
  return [...v4, ...v6];
}
