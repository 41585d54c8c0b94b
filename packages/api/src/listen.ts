import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * @returns the port, which the system chose when 0 was asked for
 * @throws {Error} naming the variable to set when the port is taken
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken. Set API_PORT to another.`);
  });
  return (server.address() as AddressInfo).port;
}
