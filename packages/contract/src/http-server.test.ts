import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { hardenServer, REQUEST_TIMEOUTS } from './http-server.ts';

const servers: Server[] = [];
after(() => servers.forEach((server) => server.closeAllConnections()));

async function start(listener: RequestListener, timeouts = {}) {
  const server = createServer({ ...REQUEST_TIMEOUTS, ...timeouts }, listener);
  servers.push(server);
  const stop = hardenServer(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, stop };
}

/** A client that never closes its own side of the connection. */
async function openConnection(
  port: number,
  bytes: string,
): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => {}); // The server may reset the connection.
  await once(socket, 'connect');
  if (bytes) socket.write(bytes);
  return { socket, text: () => text };
}

const HALF_BODY = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';
const HALF_HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Le';
const FULL_REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a request that arrives too slowly', () => {
  const shortTimeouts = {
    headersTimeout: 200,
    requestTimeout: 400,
    connectionsCheckingInterval: 50,
  };
  for (const [description, bytes] of [
    ['body', HALF_BODY],
    ['head', HALF_HEAD],
  ] as const) {
    test(`${description}: gets 408 in the error envelope, and the connection ends`, async () => {
      const { port, stop } = await start((request) => void request.resume(), shortTimeouts);
      const { socket, text } = await openConnection(port, bytes);
      await once(socket, 'end');
      assert.match(text(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
      assert.match(
        text(),
        /"type":"invalid_request","code":"parameter_invalid","message":"request did not arrive within/,
      );
      await stop(60_000); // The server stops although the client never closed its side of the connection.
    });
  }
});

describe('a server that is stopping', () => {
  for (const [description, bytes] of [
    ['has sent nothing', ''],
    ['has sent half of a head', HALF_HEAD],
  ] as const) {
    test(`does not wait for a client that ${description}`, async () => {
      const { port, stop } = await start((_, response) => response.end('ok'));
      const { socket } = await openConnection(port, bytes);
      const closed = once(socket, 'close');
      await stop(60_000);
      socket.destroy();
      await closed;
    });
  }

  test('does not wait for a client with a keep-alive connection', async () => {
    const { port, stop } = await start((_, response) => response.end('ok'));
    const { socket } = await openConnection(port, FULL_REQUEST);
    await once(socket, 'data');
    await stop(60_000);
    socket.destroy();
  });

  test('finishes the response to a request', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const { port, stop } = await start((_, response) => arrived.resolve(response));
    const { socket, text } = await openConnection(port, FULL_REQUEST);
    const response = await arrived.promise;
    const stopped = stop(60_000);
    response.end('done');
    await stopped;
    if (!socket.readableEnded) await once(socket, 'end');
    assert.match(text(), /done/);
    socket.destroy();
  });

  test('closes a request that takes longer than the grace period', async () => {
    const arrived = Promise.withResolvers<void>();
    const { port, stop } = await start(() => arrived.resolve());
    const { socket } = await openConnection(port, FULL_REQUEST);
    await arrived.promise;
    await stop(100);
    socket.destroy();
  });
});
