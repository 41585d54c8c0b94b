import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openUndiciFetch } from './undici-fetch.ts';

/** Bytes that are not valid UTF-8. */
const IMAGE = Uint8Array.of(0x89, 0x50, 0xff, 0x00);

let sockets = 0;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { method, url, headers } = request;
    if (url === '/empty') return response.writeHead(204).end();
    if (url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end();
    if (url === '/never') return;
    if (url === '/image') return response.end(IMAGE);
    response.writeHead(201, { 'x-many': ['a', 'b'], 'retry-after': '7' });
    response.end(JSON.stringify({ method, url, body, token: headers['authorization'] }));
  });
});
server.on('connection', () => (sockets += 1));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { fetch, close } = openUndiciFetch();
after(async () => {
  server.closeAllConnections();
  server.close();
  await close();
});

describe('undici as the client’s fetch', () => {
  test('sends and returns the same as the standard fetch', async () => {
    const headers = { authorization: 'Bearer x' };
    const response = await fetch(`${base}/a?b=c`, { method: 'POST', headers, body: '{"é":1}' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('retry-after'), '7');
    assert.equal(response.headers.get('x-many'), 'a, b');
    assert.deepEqual(await response.json(), {
      method: 'POST',
      url: '/a?b=c',
      body: '{"é":1}',
      token: 'Bearer x',
    });
  });

  test('returns bytes unchanged', async () => {
    const response = await fetch(`${base}/image`, {});
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), IMAGE);
  });

  test('keeps its connection open', async () => {
    sockets = 0;
    for (let call = 0; call < 5; call += 1) await fetch(base, {});
    assert.ok(sockets <= 1);
  });

  test('accepts a response without a body, and follows no redirect', async () => {
    assert.equal((await fetch(`${base}/empty`, {})).status, 204);
    assert.equal((await fetch(`${base}/moved`, {})).status, 302);
  });

  test('aborts with its signal', async () => {
    const signal = AbortSignal.timeout(50);
    await assert.rejects(fetch(`${base}/never`, { signal }), { name: 'TimeoutError' });
  });
});
