import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  malformedRequestResponse,
  hardenServer,
  REQUEST_TIMEOUTS,
} from '@connect-embed/contract/http-server';

type Fetch = Parameters<typeof getRequestListener>[0];

/** Requests that are being answered when the process is told to stop get this long to finish. */
const GRACE_MS = 10_000;

/**
 * Answers on an address until the process is told to stop.
 *
 * @returns when everything under way has ended
 * @throws {Error} naming the variable to change when the port is taken
 */
export async function listen(fetch: Fetch, host: string, port: number): Promise<void> {
  const listener = getRequestListener(fetch, { errorHandler: malformedRequestResponse });
  const server = createServer(REQUEST_TIMEOUTS, (request, response) => {
    void listener(request, response);
  });
  const stop = hardenServer(server);
  await open(server, host, port);
  const stopped = stopSignal(); // Before the line: whoever reads it may send a signal at once.
  console.log(`server listening on http://localhost:${(server.address() as AddressInfo).port}`);
  await stopped;
  await stop(GRACE_MS);
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
