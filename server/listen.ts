import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, refuseConnection } from '@connect-embed/contract/malformed';

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
