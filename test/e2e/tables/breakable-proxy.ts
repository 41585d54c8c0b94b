import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can interrupt connections to the API. */
interface BreakableProxy {
  url: string;
  /** Ends every connection and accepts no new one until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startBreakableProxy(target: string): Promise<BreakableProxy> {
  const { port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((clientSocket) => {
    if (isCut) return void clientSocket.destroy();
    const serverSocket = connect(Number(port), 'localhost');
    for (const [item, other] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      open.add(item);
      item.on('error', () => other.destroy());
      item.on('close', () => (open.delete(item), other.destroy()));
      item.pipe(other);
    }
  });
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => (isCut = false),
    close: async () => {
      cut();
      await once(server.close(), 'close');
    },
  };
}
