import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts an HTTP server.
 *
 * @returns the port; if `port` is 0, the operating system chooses a free port
 * @throws {Error} that names the environment variable to change, if the port is in use
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use. Set API_PORT to another port.`);
  });
  return (server.address() as AddressInfo).port;
}
