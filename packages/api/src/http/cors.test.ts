import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '../../test-support/app/start-api.ts';

const { app, get } = await startApi();

describe('a browser', () => {
  const preflight = (path: string, method: string) =>
    app.request(`/api/v1${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': method },
    });

  for (const [path, method, headers] of [
    ['/donations', 'GET', 'Authorization'],
    ['/donations/don_1', 'GET', 'Authorization'],
    ['/donors', 'GET', 'Authorization'],
    ['/payouts', 'GET', 'Authorization'],
    ['/embed-sessions/current', 'GET', 'Authorization'],
    ['/payment-intents', 'POST', 'Authorization,Content-Type,Idempotency-Key'],
  ] as const) {
    test(`may call ${method} ${path} from any page, with a token and without cookies`, async () => {
      const response = await preflight(path, method);
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.equal(response.headers.get('access-control-allow-methods'), method);
      assert.equal(response.headers.get('access-control-allow-headers'), headers);
      assert.equal(response.headers.get('access-control-max-age'), '86400');
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    });
  }

  test('can read error responses and Retry-After', async () => {
    const response = await get('/donations', undefined, { origin: 'https://page.example' });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.match(
      response.headers.get('access-control-expose-headers') ?? '',
      /Request-Id,Retry-After/,
    );
  });

  test('may not call routes that need an API key', async () => {
    for (const path of ['/organization', '/funds', '/embed-sessions', '/component-sessions']) {
      const response = await preflight(path, 'POST');
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    }
  });
});
