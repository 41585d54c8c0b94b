import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between two rooms and counts what passes. */
export interface CountingProxy {
  url: string;
  /** `POST /api/v1/embed-sessions`, in order of arrival. */
  calls: string[];
  /** Answers the next matching calls itself instead of passing them on. */
  answerWith(answer: Answer | undefined): void;
  close(): Promise<void>;
}

export interface Answer {
  path: string;
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const calls: string[] = [];
  let canned: Answer | undefined;
  const server = createServer((incoming, outgoing) => {
    calls.push(`${incoming.method} ${incoming.url?.split('?')[0]}`);
    if (canned && incoming.url?.startsWith(canned.path)) {
      incoming.resume();
      outgoing.writeHead(canned.status, { 'content-type': 'application/json', ...canned.headers });
      outgoing.end(JSON.stringify(canned.body));
      return;
    }
    const { method, url, headers } = incoming;
    const passed = (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    };
    const onward = request({ hostname, port, method, path: url, headers }, passed);
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    answerWith: (answer) => (canned = answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
