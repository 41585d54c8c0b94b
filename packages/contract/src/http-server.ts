import { ConnectError, errorBody, invalidRequest } from './error.ts';
import { statusOf } from './error-status.ts';

/**
 * Options and handlers of `node:http` that our Node servers share. The types are structural,
 * because this package does not depend on Node.
 */

/**
 * Options for `createServer` of `node:http`: how long a client may take to send a request.
 *
 * With Node's defaults (60 s and 300 s), a few slow clients can occupy many connections.
 */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often Node checks for requests that are too slow, in milliseconds. */
  connectionsCheckingInterval: 1_000,
};

interface Socket {
  writable: boolean;
  destroy(): unknown;
  end(text: string, onDone?: () => void): unknown;
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
  close(onDone: () => void): unknown;
}

/**
 * Makes a Node server respond to malformed requests with the error body of the API, and lets it
 * stop quickly.
 *
 * @returns a function that stops the server. It closes idle connections immediately. Other
 *   connections are closed when their response is complete, or after `graceMs`. Node's own
 *   `closeIdleConnections` does not close connections that never sent a request, which browsers
 *   keep open.
 */
export function hardenServer(server: HttpServer): (graceMs: number) => Promise<void> {
  const openSockets = new Set<Socket>();
  const activeRequests = new Map<Socket, number>();
  let stopping = false;
  server.on('clientError', respondToClientError);
  server.on('connection', (socket) => {
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    activeRequests.set(socket, (activeRequests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const remainingRequests = (activeRequests.get(socket) ?? 1) - 1;
      if (remainingRequests > 0) return void activeRequests.set(socket, remainingRequests);
      activeRequests.delete(socket);
      if (stopping) socket.destroy();
    });
  });
  return (graceMs) => {
    stopping = true;
    const destroyAll = () => openSockets.forEach((socket) => socket.destroy());
    const forceTimer = setTimeout(destroyAll, graceMs);
    return new Promise<void>((resolve) => {
      server.close(() => {
        clearTimeout(forceTimer);
        resolve();
      });
      for (const socket of openSockets) if (!activeRequests.has(socket)) socket.destroy();
    });
  };
}

/** Returns the error response to a request whose host or path cannot be parsed. */
export function malformedRequestResponse(error: unknown): globalThis.Response {
  const { name, message } = error as Error;
  const connectError =
    name === 'RequestError'
      ? invalidRequest('request', `is not valid: ${message}.`)
      : new ConnectError('server_error', 'Something went wrong on our side.');
  return globalThis.Response.json(errorBody(connectError), { status: statusOf(connectError) });
}

const SECONDS = REQUEST_TIMEOUTS.requestTimeout / 1000;

const CLIENT_ERRORS: Record<string, [statusLine: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'has headers that are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', `did not arrive within ${SECONDS} seconds.`],
};

/** Sends the error body to a client whose bytes are not HTTP, or arrive too slowly. */
function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const [status, problem] = CLIENT_ERRORS[error.code ?? ''] ?? [
    '400 Bad Request',
    'is not valid HTTP.',
  ];
  const body = JSON.stringify(errorBody(invalidRequest('request', problem)));
  const head = `content-type: application/json\r\ncontent-length: ${new TextEncoder().encode(body).length}`;
  // Destroy the socket after sending: a client that never closes its side would occupy the
  // connection.
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
