import { createServer, request, type IncomingMessage } from 'node:http';
import { listen } from './listen.ts';

/** A request that a proxy forwards. */
export interface ProxiedRequest {
  method: string;
  path: string;
}

/** Called before a request is forwarded, and again after the other service has executed it. */
export interface ProxyHooks {
  request?(request: ProxiedRequest): Promise<void> | void;
  response?(request: ProxiedRequest): Promise<void> | void;
}

/** A proxy between two services, to see requests and to inject faults at a chosen one. */
export interface HttpProxy {
  url: string;
  hooks: ProxyHooks | undefined;
  close(): Promise<void>;
}

export async function startHttpProxy(target: string): Promise<HttpProxy> {
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
  const { port: ownPort, close } = await listen(server);
  const proxy: HttpProxy = { url: `http://localhost:${ownPort}`, hooks: undefined, close };
  return proxy;
}
