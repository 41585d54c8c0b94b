import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const read = (file: string) =>
  readFileSync(join(import.meta.dirname, 'certificates', file), 'utf8');

/** Signed by itself: a client that is to trust the receiver is handed this. */
export const CERTIFICATE = read('localhost.cert.pem');

/** One request as it came over the wire. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  atMs: number;
}

/** Answers one request; `count` is how many there were, this one included. */
export type Responder = (response: ServerResponse, received: Received, count: number) => void;

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Never says a word. */
export const hang: Responder = () => {};

/** Says 200 at once and then a byte at a time, for ever. */
export const drip: Responder = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
};

/** A server on a port of its own that keeps what it gets. */
export async function startReceiver(
  responder: Responder = respondWith(204),
  { secure = false }: { secure?: boolean } = {},
) {
  const received: Received[] = [];
  const state = { responder };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const entry = { headers, body, atMs: Date.now() };
      received.push(entry);
      state.responder(response, entry, received.length);
    });
  };
  const server = secure
    ? createHttps({ key: read('localhost.key.pem'), cert: CERTIFICATE }, onRequest)
    : createHttp(onRequest);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    url: `${secure ? 'https' : 'http'}://localhost:${port}/hook`,
    received,
    answerWith: (next: Responder) => void (state.responder = next),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
