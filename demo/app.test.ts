import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { serve } from '@hono/node-server';
import { verify } from 'hono/jwt';
import { createDemo } from './app.ts';
import { readConfig } from './config.ts';

const SECRET = 'a-secret-that-is-long-enough-for-hs256';
const app = createDemo(
  readConfig({
    CONNECT_SERVER_URL: 'https://give.example',
    CONNECT_API_URL: 'https://api.example',
    CARD_ORIGINS: 'https://cards.example',
    VIEWER_SECRET: SECRET,
    ALLOWED_HOSTS: '.preview.example',
  }),
);
const ORIGIN = { origin: 'http://localhost' };

test('serves localhost and allowed hosts only, against DNS rebinding', async () => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string, host: string) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { host } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  for (const path of ['/', '/platform/']) {
    assert.equal(await statusOf(path, `rebinding.example:${port}`), 403, path);
    assert.equal(await statusOf(path, `localhost:${port}`), 200, path);
    assert.equal(await statusOf(path, `4200-mine.preview.example`), 200, path);
  }
});

async function signIn(): Promise<string> {
  const response = await app.request('/platform/sign-in', { method: 'POST', headers: ORIGIN });
  assert.equal(response.status, 303);
  return response.headers.get('set-cookie') ?? '';
}

describe("the nonprofit's page", () => {
  test('contains the two-line snippet with the configured server', async () => {
    const page = await (await app.request('/')).text();
    assert.ok(
      page.includes('<script type="module" src="https://give.example/connect.js"></script>'),
    );
    assert.ok(page.includes('<connect-donate form="meals">'));
    assert.ok(!page.includes('localhost:4100'));
  });

  test('allows only the server and the card processor in its policy', async () => {
    const policy = (await app.request('/')).headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /default-src 'none'; script-src https:\/\/give\.example https:\/\/cards\.example;/,
    );
    assert.doesNotMatch(policy, /unsafe|\*|data:|api\.example/);
  });

  test('has no inline styles or scripts, which the policy would block', async () => {
    for (const path of ['/', '/platform/']) {
      const page = await (await app.request(path)).text();
      assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/, path);
    }
  });
});

describe("the platform's page", () => {
  test('shows no tables without signing in', async () => {
    const signInPage = await app.request('/platform/');
    assert.doesNotMatch(await signInPage.text(), /viewer-token|connect-donations/);
    assert.equal((await app.request('/platform/viewer-token')).status, 401);
  });

  test('contains a viewer token for one hour after signing in', async () => {
    const cookie = await signIn();
    assert.match(cookie, /; Path=\/platform; HttpOnly; SameSite=Lax$/);
    const page = await (await app.request('/platform/', { headers: { cookie } })).text();
    const tokens = [...page.matchAll(/viewer-token="([^"]+)"/g)].map(([, token]) => token ?? '');
    assert.equal(tokens.length, 1, 'one provider for all tables');
    const claims = await verify(tokens[0] ?? '', SECRET, 'HS256');
    assert.equal(claims.sub, 'dana@tideline.example');
    assert.equal(Number(claims.exp) - Number(claims.iat), 3600);
  });

  test('renews the token while the user is signed in', async () => {
    const response = await app.request('/platform/viewer-token', {
      headers: { cookie: await signIn() },
    });
    const { token, expires_in } = (await response.json()) as { token: string; expires_in: number };
    assert.equal(expires_in, 3600);
    assert.ok(await verify(token, SECRET, 'HS256'));
  });

  test('rejects a cookie that it has not signed', async () => {
    const cookie = (await signIn()).replace(/dana/, 'mallory');
    const page = await app.request('/platform/', { headers: { cookie } });
    assert.doesNotMatch(await page.text(), /viewer-token/);
  });

  test('rejects a sign-in form of another site', async () => {
    const headers = {
      origin: 'https://evil.example',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const response = await app.request('/platform/sign-in', { method: 'POST', headers });
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('set-cookie'), null);
  });

  test('works with and without the final slash', async () => {
    for (const path of ['/platform', '/platform/']) {
      assert.equal((await app.request(path)).status, 200);
    }
  });
});

describe('the demo site', () => {
  test('names every invalid setting', () => {
    assert.throws(() => readConfig({}), /^Error: VIEWER_SECRET is required\.$/);
    assert.throws(
      () =>
        readConfig({ VIEWER_SECRET: SECRET, CONNECT_SERVER_URL: 'give.example', DEMO_PORT: 'x' }),
      /DEMO_PORT must be a port number\.\nCONNECT_SERVER_URL must be an HTTP or HTTPS URL\./,
    );
  });
});
