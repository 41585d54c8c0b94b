import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between two services that records the requests. */
interface CountingProxy {
  url: string;
  /** Method and path, such as `POST /api/v1/embed-sessions`, in order of arrival. */
  calls: string[];
  /** Responds to matching requests instead of forwarding them. */
  respondWith(cannedResponse: CannedResponse | undefined): void;
  close(): Promise<void>;
}

interface CannedResponse {
  path: string;
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const calls: string[] = [];
  let cannedResponse: CannedResponse | undefined;
  const server = createServer((incoming, outgoing) => {
    calls.push(`${incoming.method} ${incoming.url?.split('?')[0]}`);
    if (cannedResponse && incoming.url?.startsWith(cannedResponse.path)) {
      incoming.resume();
      outgoing.writeHead(cannedResponse.status, {
        'content-type': 'application/json',
        ...cannedResponse.headers,
      });
      outgoing.end(JSON.stringify(cannedResponse.body));
      return;
    }
    const { method, url, headers } = incoming;
    const forwardResponse = (upstreamResponse: IncomingMessage) => {
      outgoing.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(outgoing);
    };
    const upstreamRequest = request(
      { hostname, port, method, path: url, headers },
      forwardResponse,
    );
    upstreamRequest.on('error', () => outgoing.destroy());
    incoming.pipe(upstreamRequest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    respondWith: (upstreamResponse) => (cannedResponse = upstreamResponse),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
