import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const read = (file: string) =>
  readFileSync(join(import.meta.dirname, 'certificates', file), 'utf8');

/** Self-signed certificate of the receiver. A client must be configured to trust it. */
export const CERTIFICATE = read('localhost.cert.pem');

/** A received request. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  atMs: number;
}

/**
 * Writes the response to a request. `count` is the number of requests so far, including this request.
 */
export type Responder = (response: ServerResponse, received: Received, count: number) => void;

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end();

export const neverRespond: Responder = () => {};

/** Responds 200 immediately and then sends one byte every 50 ms without end. */
export const respondSlowly: Responder = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
};

/** Starts a server on a free port that records all requests. */
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
    setResponder: (next: Responder) => void (state.responder = next),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
