import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { ConnectError, invalidRequest } from '@connect-embed/contract';

type Fetch = Parameters<typeof getRequestListener>[0];

/** Requests under way may end; a page that holds its connection may not hold us. */
const STOP_WITHIN_MS = 10_000;

/**
 * Answers on an address until the process is told to stop.
 *
 * @returns when everything under way has ended
 * @throws {Error} naming the variable to change when the port is taken
 */
export async function listen(fetch: Fetch, host: string, port: number): Promise<void> {
  const listener = getRequestListener(fetch, { errorHandler: answerMalformed });
  const server = createServer((request, response) => void listener(request, response));
  server.on('clientError', refuseConnection);
  await open(server, host, port);
  const stopped = stopSignal(); // Before the line: whoever reads it may send a signal at once.
  console.log(`server listening on http://localhost:${(server.address() as AddressInfo).port}`);
  await stopped;
  await close(server);
}

const open = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Set SERVER_PORT to another.`;
      reject(new Error(code === 'EADDRINUSE' ? taken : message));
    });
    server.listen(port, host, resolve);
  });

const stopSignal = () =>
  new Promise((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve));

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS).unref();
  });

/** A request that never became one, for a bad Host or path, is refused in the usual envelope. */
function answerMalformed(error: unknown): Response {
  const { name, message } = error as Error;
  const answer =
    name === 'RequestError'
      ? invalidRequest('request', `${message}.`)
      : new ConnectError('server_error', 'Something went wrong on our side.');
  return Response.json(answer.toJSON(), { status: answer.status });
}

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The same one layer below, where the bytes were no HTTP at all. */
function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(invalidRequest('request', 'is not valid HTTP.'));
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`);
}
