import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to somebody, which can be cut while they notice nothing but silence. */
export interface BreakableLine {
  url: string;
  /** Ends every connection, and takes no other until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openLine(target: string): Promise<BreakableLine> {
  const { port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), 'localhost');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => (open.delete(one), other.destroy()));
      one.pipe(other);
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
    mend: () => (isCut = false),
    close: async () => {
      cut();
      await once(server.close(), 'close');
    },
  };
}
