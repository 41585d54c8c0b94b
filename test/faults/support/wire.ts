import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the API asks of the processor, by method and path. */
export interface Call {
  method: string;
  path: string;
}

/** Called before a call goes on, and again when the processor has done it. */
export interface Tap {
  asked?(call: Call): Promise<void> | void;
  answered?(call: Call): Promise<void> | void;
}

/** Stands between the API and the processor, so that a fault can strike at a moment of its own. */
export interface Wire {
  url: string;
  /** One at a time; nothing happens when it is taken away. */
  tap: Tap | undefined;
  close(): Promise<void>;
}

export async function openWire(target: string): Promise<Wire> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const call = { method, path: url.split('?')[0]! };
    const pass = async (answer: IncomingMessage) => {
      await wire.tap?.answered?.(call);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    };
    const go = async () => {
      await wire.tap?.asked?.(call);
      const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
        pass(answer).catch(() => outgoing.destroy());
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    };
    go().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const wire: Wire = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    tap: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return wire;
}

/** Something that happens once, at the first call that fits. */
export function once(
  when: 'asked' | 'answered',
  fits: (call: Call) => boolean,
  happen: () => Promise<void> | void,
): Tap {
  let over = false;
  return {
    [when]: async (call: Call) => {
      if (over || !fits(call)) return;
      over = true;
      await happen();
    },
  };
}

export const opensIntent = ({ method, path }: Call) =>
  method === 'POST' && path === '/v1/payment_intents';

export const readsIntent = ({ method, path }: Call) =>
  method === 'GET' && path.startsWith('/v1/payment_intents/');
