import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startOauth } from '../../test-support/start-oauth.ts';

const { api, connect, exchange } = await startOauth();

describe("the specification's own flow", () => {
  test('secret in the form, no PKCE, offline_access', async () => {
    const { callback } = await connect({ scope: 'donations:read offline_access', state: 'a b' });
    assert.equal(callback.searchParams.get('state'), 'a b');
    assert.equal(callback.searchParams.get('iss'), api.url);
    const { status, body } = await exchange(callback);
    assert.equal(status, 200);
    assert.match(body.access_token, /^gba_[\w-]{43}$/);
    assert.match(body.refresh_token, /^gbr_[\w-]{43}$/);
    assert.equal(body.token_type, 'Bearer');
    assert.equal(body.expires_in, 3600);
    const read = await api.get('/donations', body.access_token);
    assert.equal(read.status, 200);
  });
});
