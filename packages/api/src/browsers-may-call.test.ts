import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '../test-support/start-api.ts';

const { app, get } = await startApi();

describe('browsers', () => {
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
      const answer = await preflight(path, method);
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('access-control-allow-methods'), method);
      assert.equal(answer.headers.get('access-control-allow-headers'), headers);
      assert.equal(answer.headers.get('access-control-max-age'), '86400');
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    });
  }

  test('can read refusals too, and when to come back', async () => {
    const answer = await get('/donations', undefined, { origin: 'https://page.example' });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.match(
      answer.headers.get('access-control-expose-headers') ?? '',
      /Request-Id,Retry-After/,
    );
  });

  test('may not call what needs a key', async () => {
    for (const path of ['/organization', '/funds', '/embed-sessions', '/component-sessions']) {
      const answer = await preflight(path, 'POST');
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  });
});
