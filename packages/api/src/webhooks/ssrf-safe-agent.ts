import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { hostNotPublic, portOf, type PublicHosts, withoutBrackets } from './public-host.ts';

/** Connecting and TLS; an attempt as a whole has `ATTEMPT_TIMEOUT_MS`. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Notices to one host often come in twos; nobody's connection is held longer than that. */
const KEEP_ALIVE_MS = 4_000;

export interface AgentOptions {
  /** Authorities to trust besides Node's own (which `NODE_EXTRA_CA_CERTS` extends). */
  ca?: string | undefined;
}

/**
 * Opens connections to public hosts only, whatever a name resolves to at this moment.
 *
 * Checking the URL beforehand is not enough: the name may point elsewhere a second later. So the
 * addresses that will be connected to are checked where they are looked up; a literal is checked
 * too, because `net.connect` looks none up; and so is the peer of the connection that came about,
 * before anything is sent. An agent of its own follows no redirects and knows no proxy variables.
 */
export function createSsrfSafeAgent(hosts: PublicHosts, { ca }: AgentOptions = {}): Agent {
  const base = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, ...(ca !== undefined && { ca }) };
  const connectAnywhere = buildConnector(base);
  const connectPublic = rejectPrivateAddresses(
    buildConnector({ ...base, lookup: createLookup(hosts) }),
  );
  return new Agent({
    connect: (options, callback) => {
      const hostname = options.hostname.toLowerCase();
      const allowed = hosts.allows(hostname, portOf(options));
      (allowed ? connectAnywhere : connectPublic)(options, callback);
    },
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
}

const rejectPrivateAddresses =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    const literal = withoutBrackets(options.hostname);
    if (isIP(literal) && !isPublicAddress(literal)) return callback(hostNotPublic(), null);
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(hostNotPublic(), null);
    });
  };

/** The resolver's answer in the form that `net.connect` asks for: one address, or all of them. */
const createLookup =
  (hosts: PublicHosts): LookupFunction =>
  (hostname, options, callback) => {
    hosts.resolve(hostname).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) callback(null, all);
        else callback(null, all[0]!.address, all[0]!.family);
      },
      (error: Error) => callback(error, options.all ? [] : ''),
    );
  };
