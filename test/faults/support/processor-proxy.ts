import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the API to the processor. */
export interface ProcessorCall {
  method: string;
  path: string;
}

/** Called before a request is forwarded, and again after the processor has executed it. */
interface CallHooks {
  request?(call: ProcessorCall): Promise<void> | void;
  response?(call: ProcessorCall): Promise<void> | void;
}

/** A proxy between the API and the processor, to inject faults at a chosen request. */
export interface ProcessorProxy {
  url: string;
  /** Hooks of the current fault; undefined if no fault is injected. */
  hooks: CallHooks | undefined;
  close(): Promise<void>;
}

export async function startProcessorProxy(target: string): Promise<ProcessorProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const call = { method, path: url.split('?')[0]! };
    const forwardResponse = async (response: IncomingMessage) => {
      await proxy.hooks?.response?.(call);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    };
    const forwardRequest = async () => {
      await proxy.hooks?.request?.(call);
      const upstreamRequest = request(
        { hostname, port, method, path: url, headers },
        (response) => {
          forwardResponse(response).catch(() => outgoing.destroy());
        },
      );
      upstreamRequest.on('error', () => outgoing.destroy());
      incoming.pipe(upstreamRequest);
    };
    forwardRequest().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ProcessorProxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    hooks: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** Hooks that run an action once, at the first matching request. */
export function once(
  when: 'request' | 'response',
  matches: (call: ProcessorCall) => boolean,
  action: () => Promise<void> | void,
): CallHooks {
  let hasHappened = false;
  return {
    [when]: async (call: ProcessorCall) => {
      if (hasHappened || !matches(call)) return;
      hasHappened = true;
      await action();
    },
  };
}

export const createsIntent = ({ method, path }: ProcessorCall) =>
  method === 'POST' && path === '/v1/payment_intents';

export const retrievesIntent = ({ method, path }: ProcessorCall) =>
  method === 'GET' && path.startsWith('/v1/payment_intents/');
