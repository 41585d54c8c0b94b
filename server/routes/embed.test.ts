import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorOf, openServer, ORIGIN } from '../test-support/page.ts';
import { problem, startUpstream } from '../test-support/upstream.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const open = (config = {}) => openServer(upstream.apiBase, { now, ...config }).server;

describe('GET /embed/{form}', () => {
  test('leads to the hosted page of the form', async () => {
    const answer = await open().request('/embed/default');
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), 'http://localhost/embed/es');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    const policy = answer.headers.get('content-security-policy');
    assert.equal(policy, `default-src 'none'; frame-ancestors ${ORIGIN}`);
  });

  test('costs no more upstream calls than the form does', async () => {
    const server = open();
    for (let visit = 0; visit < 100; visit += 1) await server.request('/embed/default');
    assert.equal(upstream.calls.length, 2);
  });

  test('leaves a donor half an hour at least', async () => {
    const server = open();
    await server.request('/embed/default');
    clock += 29 * 60_000;
    await server.request('/embed/default');
    assert.equal(upstream.calls.length, 2);
    clock += 2 * 60_000;
    await server.request('/embed/default');
    assert.equal(upstream.calls.length, 4);
  });

  test('says which form is missing', async () => {
    const error = await errorOf(await open().request('/embed/gala'));
    assert.deepEqual([error.status, error.type], [404, 'not_found']);
  });

  test('says that it cannot be had while the API is away', async () => {
    upstream.failWith(() => problem(503, 'unavailable', 'down'));
    const answer = await open().request('/embed/default');
    assert.equal(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
  });

  test('is read, and nothing else', async () => {
    const answer = await open().request('/embed/default', { method: 'POST' });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  });
});
