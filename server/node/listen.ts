import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  malformedRequestResponse,
  hardenServer,
  REQUEST_TIMEOUTS,
} from '@connect-embed/contract/http-server';

type Fetch = Parameters<typeof getRequestListener>[0];

/** How long requests in progress may run on after a stop signal. */
const GRACE_MS = 10_000;

/**
 * Serves the BFF on an address.
 *
 * @returns the port, and a function that stops when all requests in progress have ended
 * @throws {Error} naming the variable to change if the port is in use
 */
export async function listen(
  fetch: Fetch,
  host: string,
  port: number,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const listener = getRequestListener(fetch, { errorHandler: malformedRequestResponse });
  const server = createServer(REQUEST_TIMEOUTS, (request, response) => {
    void listener(request, response);
  });
  const stop = hardenServer(server);
  await startListening(server, host, port);
  return { port: (server.address() as AddressInfo).port, stop: () => stop(GRACE_MS) };
}

const startListening = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const portInUseMessage = `Port ${port} is already in use. Set SERVER_PORT to another port.`;
      reject(new Error(code === 'EADDRINUSE' ? portInUseMessage : message));
    });
    server.listen(port, host, resolve);
  });
