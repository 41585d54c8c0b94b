import { ConnectError, invalidRequest } from './error.ts';

/**
 * What our Node servers add to the web-standard application they serve. Types are structural, because
 * this package does not depend on Node.
 */

/**
 * Options for `createServer` of `node:http`: how long a client may take to send a request.
 *
 * Node's defaults (60 and 300 seconds) let few clients hold many connections.
 */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often Node looks for requests that are too slow. */
  connectionsCheckingInterval: 1_000,
};

interface Socket {
  writable: boolean;
  destroy(): unknown;
  end(text: string, done?: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

interface Response {
  once(event: 'close', listener: () => void): unknown;
}

interface HttpServer {
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  on(
    event: 'request',
    listener: (request: { socket: Socket }, response: Response) => void,
  ): unknown;
  on(event: 'clientError', listener: (error: Error, socket: Socket) => void): unknown;
  close(done: () => void): unknown;
}

/**
 * Makes a Node server answer malformed requests in the error envelope, and lets it stop quickly.
 *
 * @returns a function that stops the server: it closes at once every connection on which no request is
 *   being answered, and the others when their answer is complete, or after `graceMs`. Node's own
 *   `closeIdleConnections` waits for connections that never sent a request, which browsers keep open.
 */
export function hardenServer(server: HttpServer): (graceMs: number) => Promise<void> {
  const open = new Set<Socket>();
  const activeRequests = new Map<Socket, number>();
  let stopping = false;
  server.on('clientError', respondToClientError);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    activeRequests.set(socket, (activeRequests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (activeRequests.get(socket) ?? 1) - 1;
      if (left > 0) return void activeRequests.set(socket, left);
      activeRequests.delete(socket);
      if (stopping) socket.destroy();
    });
  });
  return (graceMs) => {
    stopping = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const destroyAll = () => open.forEach((socket) => socket.destroy());
    const forceTimer = setTimeout(destroyAll, graceMs);
    server.close(() => {
      clearTimeout(forceTimer);
      resolve();
    });
    for (const socket of open) if (!activeRequests.has(socket)) socket.destroy();
    return promise;
  };
}

/** Answers a request whose host or path cannot be parsed, in the error envelope of every other. */
export function malformedRequestResponse(error: unknown): globalThis.Response {
  const { name, message } = error as Error;
  const connectError =
    name === 'RequestError'
      ? invalidRequest('request', `${message}.`)
      : new ConnectError('server_error', 'Something went wrong on our side.');
  return globalThis.Response.json(connectError.toJSON(), { status: connectError.status });
}

const SECONDS = REQUEST_TIMEOUTS.requestTimeout / 1000;

const CLIENT_ERRORS: Record<string, [statusLine: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'has headers that are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', `did not arrive within ${SECONDS} seconds.`],
};

/** The same where the bytes of the connection are no HTTP request at all, or arrive too slowly. */
function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const [status, problem] = CLIENT_ERRORS[error.code ?? ''] ?? [
    '400 Bad Request',
    'is not valid HTTP.',
  ];
  const body = JSON.stringify(invalidRequest('request', problem));
  const head = `content-type: application/json\r\ncontent-length: ${new TextEncoder().encode(body).length}`;
  // Destroyed once it is sent: a client that never closes its side would keep the connection.
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
