import { Agent, request, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { hostNotPublic, portOf, type PublicHosts, withoutBrackets } from './public-host.ts';

/** Timeout of connecting, including TLS. `ATTEMPT_TIMEOUT_MS` limits the whole attempt. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are reused briefly, because a host often receives several events in a row. */
const KEEP_ALIVE_MS = 4_000;

export interface AgentOptions {
  /** Certificate authorities to trust besides Node's own (which `NODE_EXTRA_CA_CERTS` extends). */
  ca?: string | undefined;
}

/** Sends requests to public hosts only. */
export interface SsrfSafeAgent {
  request: (url: string, options: RequestOptions) => ClientRequest;
  /** Closes all connections. */
  destroy: () => void;
}

/**
 * Creates an HTTP agent that connects to public hosts only (protection against server-side request
 * forgery).
 *
 * Checking the URL beforehand is not enough, because DNS may return another address later. So the
 * agent checks the looked-up addresses, literal addresses (which `net.connect` does not look up), and
 * the peer address of the connection before anything is sent. It follows no redirects and uses no
 * proxy of the environment.
 *
 * Connections are undici's, requests are Node's own: undici fails if a server sends `100 Continue` before
 * its response, as servers may (RFC 9110, 15.2).
 */
export function createSsrfSafeAgent(hosts: PublicHosts, { ca }: AgentOptions = {}): SsrfSafeAgent {
  const base = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, ...(ca !== undefined && { ca }) };
  const connectAnywhere = buildConnector(base);
  const connectPublic = rejectPrivateAddresses(
    buildConnector({ ...base, lookup: createLookup(hosts) }),
  );
  const connectTo =
    (protocol: string): HttpsAgent['createConnection'] =>
    ({ host, port, servername = '' }, callback) => {
      const hostname = (host ?? '').toLowerCase();
      const target = { hostname, protocol, port: String(port), servername };
      const allowed = hosts.allows(hostname, portOf(target));
      (allowed ? connectAnywhere : connectPublic)(target, (...[error, socket]) =>
        callback?.(error, socket!),
      );
      return undefined;
    };
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  const httpAgent = new Agent(options);
  httpAgent.createConnection = connectTo('http:');
  const httpsAgent = new HttpsAgent(options);
  httpsAgent.createConnection = connectTo('https:');
  return {
    request: (url, options) =>
      url.startsWith('https:')
        ? httpsRequest(url, { ...options, agent: httpsAgent })
        : request(url, { ...options, agent: httpAgent }),
    destroy: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
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

/** Adapts the resolver to the `lookup` option of `net.connect`: one address, or all of them. */
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
