import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of a request: this response replaces the server's response, or there is no response. */
export type Fault =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The connection breaks before the request reaches the server. */
  | 'reset'
  /** The request reaches the server, but its response is lost. */
  | 'lose response'
  /** The request never gets a response. */
  | 'hang';

/**
 * Simulates a faulty network: a proxy in front of a real server that forwards requests, except
 * those for which a test has queued a fault.
 */
export async function startFaultyNetwork(target: string) {
  const faults: Fault[] = [];
  const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((incoming, clientResponse) => {
    const received = { path: incoming.url ?? '', headers: incoming.headers, body: '' };
    requests.push(received);
    incoming.on('data', (chunk: Buffer) => (received.body += String(chunk)));
    const isTargetMethod =
      network.onlyMethod === undefined || incoming.method === network.onlyMethod;
    const fault = isTargetMethod ? faults.shift() : undefined;
    if (fault === 'hang') return;
    if (fault === 'reset') return void incoming.socket.destroy();
    if (typeof fault === 'object') {
      return void clientResponse.writeHead(fault.status, fault.headers).end(fault.body);
    }
    forward(target, incoming, clientResponse, fault === 'lose response');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const network = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Faults for the next requests, one each. */
    faults,
    /** If set, faults apply only to requests with this method. */
    onlyMethod: undefined as string | undefined,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
  return network;
}

function forward(
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
