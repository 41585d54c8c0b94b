import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one request on its way: an answer of the network's own, or none. */
export type Fault =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The connection breaks before the request arrives. */
  | 'reset'
  /** The request arrives, and its answer is lost. */
  | 'lose answer'
  /** Nothing ever comes back. */
  | 'hang';

/**
 * A network in front of a real server: it passes requests on, except those that a test has put a
 * fault in the way of.
 */
export async function startFaultyNetwork(target: string) {
  const faults: Fault[] = [];
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((incoming, clientResponse) => {
    requests.push({ path: incoming.url ?? '', headers: incoming.headers });
    const isMeant = network.onlyMethod === undefined || incoming.method === network.onlyMethod;
    const fault = isMeant ? faults.shift() : undefined;
    if (fault === 'hang') return;
    if (fault === 'reset') return void incoming.socket.destroy();
    if (typeof fault === 'object') {
      return void clientResponse.writeHead(fault.status, fault.headers).end(fault.body);
    }
    passOn(target, incoming, clientResponse, fault === 'lose answer');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const network = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next requests meet these, one each. */
    faults,
    /** Where it is set, faults are only for requests with this method. */
    onlyMethod: undefined as string | undefined,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
  return network;
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  clientResponse: ServerResponse,
  dropResponse: boolean,
) {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url ?? '/', target), { method, headers }, (response) => {
    if (dropResponse) {
      return void response.resume().on('end', () => incoming.socket.destroy());
    }
    clientResponse.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(clientResponse);
  });
  incoming.pipe(outgoing);
}
