import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Hono } from 'hono';
import { z } from 'zod';
import { ConnectError } from './error.ts';
import type { ErrorEnvelope } from './error-envelope.ts';
import {
  errorHandler,
  notFoundHandler,
  jsonBody,
  limitBody,
  MAX_BODY_BYTES,
  queryParams,
} from './hono.ts';
import { ListQuery } from './list.ts';

const Donation = z.strictObject({
  amount_cents: z.int().min(50),
  donor: z.strictObject({ email: z.email() }).optional(),
});

const reported: Error[] = [];
const app = new Hono()
  .use(limitBody)
  .post('/donation', jsonBody(Donation), (c) => c.json(c.req.valid('json')))
  .post('/empty', jsonBody(z.strictObject({}), { mayBeEmpty: true }), (c) =>
    c.json(c.req.valid('json')),
  )
  .get('/list', queryParams(ListQuery), (c) => c.json(c.req.valid('query')))
  .get('/fails', () => {
    throw new TypeError('a password');
  })
  .get('/busy', () => {
    throw new ConnectError('rate_limited', 'Wait.', { retryAfterSeconds: 7 });
  })
  .get('/closed', () => {
    throw new ConnectError('unauthorized', 'No.');
  })
  .get('/narrow', () => {
    throw new ConnectError('insufficient_scope', 'This request requires the scope donors:read.');
  })
  .notFound(notFoundHandler)
  .onError(errorHandler((error) => void reported.push(error)));

const post = (path: string, body: string, type: string | null = 'application/json') =>
  app.request(path, {
    method: 'POST',
    body,
    headers: type === null ? {} : { 'content-type': type },
  });

async function errorOf(pending: Response | Promise<Response>) {
  const response = await pending;
  const { error } = (await response.json()) as ErrorEnvelope;
  return { status: response.status, ...error };
}

describe('jsonBody', () => {
  test('passes on the validated body', async () => {
    const response = await post(
      '/donation',
      '{"amount_cents":50}',
      'Application/JSON; charset=utf-8',
    );
    assert.deepEqual(await response.json(), { amount_cents: 50 });
  });

  test('finds a lone surrogate at any depth, or rejects the depth', async () => {
    const deeplyNested = `${'['.repeat(30_000)}"\\ud83c"${']'.repeat(30_000)}`;
    assert.equal((await errorOf(post('/donation', deeplyNested))).status, 400);
  });

  test('accepts an escaped surrogate pair, and text that looks like an escape', async () => {
    const signs = new Hono().post('/', jsonBody(z.string()), (c) => c.json(c.req.valid('json')));
    for (const text of ['\u{1f388}', '\\ud83c', 'ud83c']) {
      const escaped = JSON.stringify(text).replace('\u{1f388}', '\\ud83c\\uDF88');
      const headers = { 'content-type': 'application/json' };
      const response = await signs.request('/', { method: 'POST', body: escaped, headers });
      assert.equal(await response.json(), text);
    }
  });

  for (const [body, field] of [
    ['{"amount_cents":"50"}', 'amount_cents'],
    ['{"amount_cents":50.5}', 'amount_cents'],
    ['{"amount_cents":49}', 'amount_cents'],
    ['{"amount_cents":1e400}', 'amount_cents'],
    ['{"amount_cents":9007199254740993}', 'amount_cents'],
    ['{}', 'amount_cents'],
    ['{"amount_cents":50,"ammount":1}', 'ammount'],
    ['{"amount_cents":50,"donor":{"email":"x"}}', 'donor.email'],
    ['{"amount_cents":50,"donor":{"email":"a@b.co","x":1}}', 'donor.x'],
    ['{"amount_cents":50,"donor":{"email":"\\ud83c"}}', 'email'],
    ['{"amount_cents":50,"donor":{"\\uDF88":1}}', '\ufffd'],
    ['"\\ud83c"', 'body'],
    ['[]', 'body'],
    ['null', 'body'],
    ['{', 'body'],
    ['', 'body'],
  ] as const) {
    test(`rejects ${body || 'nothing'}, naming ${field}`, async () => {
      const { status, type, param } = await errorOf(post('/donation', body));
      assert.deepEqual([status, type, param], [400, 'invalid_request', field]);
    });
  }

  test('rejects invalid UTF-8 instead of changing a name', async () => {
    const body = Buffer.from('{"amount_cents":50,"name":"Jos\u00e9"}', 'latin1');
    const headers = { 'content-type': 'application/json' };
    const response = app.request('/donation', { method: 'POST', headers, body });
    const { status, message } = await errorOf(response);
    assert.deepEqual([status, message], [400, 'body is not valid JSON.']);
  });

  for (const type of [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
  ]) {
    test(`rejects a body with the content type ${type ?? 'missing'}`, async () => {
      assert.equal((await errorOf(post('/donation', '{"amount_cents":50}', type))).status, 415);
    });
  }

  test('accepts an absent body as {} only where the route allows it', async () => {
    assert.equal((await post('/empty', '', null)).status, 200);
    assert.equal((await post('/empty', 'x')).status, 400);
    assert.equal((await post('/donation', '', null)).status, 415);
  });

  test('rejects a body that is too large', async () => {
    const body = JSON.stringify({ amount_cents: 50, x: 'x'.repeat(MAX_BODY_BYTES) });
    assert.deepEqual((await errorOf(post('/donation', body))).type, 'payload_too_large');
  });
});

describe('queryParams', () => {
  const getList = async (query: string) => await app.request(`/list${query}`);

  test('fills in the defaults', async () => {
    assert.deepEqual(await (await getList('')).json(), { limit: 25 });
    assert.deepEqual(await (await getList('?limit=100&cursor=a')).json(), {
      limit: 100,
      cursor: 'a',
    });
  });

  for (const [query, name] of [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1e1', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=', 'cursor'],
    ['?updated_since=yesterday', 'updated_since'],
    ['?updated_since=2026-13-01T00:00:00Z', 'updated_since'],
    ['?page=2', 'page'],
  ] as const) {
    test(`rejects ${query}, naming ${name}`, async () => {
      const { status, param } = await errorOf(getList(query));
      assert.deepEqual([status, param], [400, name]);
    });
  }
});

describe('errorHandler', () => {
  test('logs an unexpected error and hides its message', async () => {
    const error = await errorOf(app.request('/fails'));
    assert.deepEqual([error.status, error.type], [500, 'server_error']);
    assert.doesNotMatch(error.message, /password/);
    assert.match(String(reported.at(-1)), /password/);
  });

  test('adds Retry-After and WWW-Authenticate', async () => {
    assert.equal((await app.request('/busy')).headers.get('retry-after'), '7');
    const challenge = async (path: string, headers = {}) =>
      (await app.request(path, { headers })).headers.get('www-authenticate');
    assert.equal(await challenge('/closed'), 'Bearer');
    const authorization = 'Bearer gb_live_x';
    assert.equal(await challenge('/closed', { authorization }), 'Bearer error="invalid_token"');
    assert.equal(await challenge('/narrow'), 'Bearer error="insufficient_scope"');
    assert.equal(await challenge('/busy'), null);
  });

  test('notFoundHandler returns the error envelope for an unknown path', async () => {
    assert.equal((await errorOf(app.request('/nowhere'))).type, 'not_found');
  });
});
