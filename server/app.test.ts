import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_BODY_BYTES } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { errorOf, openServer, ORIGIN, SESSION_SECRET } from './test-support/embedding-page.ts';
import { API_KEY, errorResponse, startUpstream } from './test-support/upstream.ts';

const upstream = await startUpstream();
const openTestServer = (config = {}) => openServer(upstream.apiBase, config);
const POSTS = ['/embed-sessions', '/payment-intents', '/component-sessions'];
const GETS = ['/healthz', '/readyz', '/connect.js', '/forms'];

for (const path of POSTS) {
  describe(`every POST route checks the origin: ${path}`, () => {
    for (const [description, origin, expectedMessage] of [
      ['no origin', undefined, /missing/],
      ['the origin null', 'null', /sandboxed/],
      ['an unknown origin', 'https://evil.example', /https:\/\/evil\.example.*ALLOWED_ORIGINS/],
      ['the origin in capital letters', ORIGIN.toUpperCase(), /is not allowed/],
      ['a longer host name', `${ORIGIN}.evil.example`, /is not allowed/],
      ['another port', `${ORIGIN}:8443`, /is not allowed/],
      ['another scheme', ORIGIN.replace('https', 'http'), /is not allowed/],
      ['the parent domain', 'https://harborstreet.example', /is not allowed/],
    ] as const) {
      test(`403 for ${description}`, async () => {
        const headers = { 'content-type': 'application/json', ...(origin && { origin }) };
        const response = await openTestServer().server.request(path, {
          method: 'POST',
          headers,
          body: '{}',
        });
        assert.ok(response.headers.get('vary')?.split(', ').includes('Origin'));
        assert.equal(response.headers.get('access-control-allow-origin'), null);
        const error = await errorOf(response);
        assert.deepEqual([error.status, error.type], [403, 'forbidden']);
        assert.match(error.message, expectedMessage);
        // Only an origin that the dashboard's list could contain is looked up there.
        const paths = upstream.calls.map((call) => call.path);
        assert.ok(
          paths.every((called) => called.endsWith('/allowed-sites')),
          paths.join(),
        );
      });
    }

    const preflight = (origin: string) =>
      openTestServer().server.request(path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });

    test('a preflight from an allowed origin is answered with CORS headers', async () => {
      const response = await preflight(ORIGIN);
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
      assert.equal(response.headers.get('access-control-allow-methods'), 'POST');
      assert.match(response.headers.get('access-control-allow-headers') ?? '', /Idempotency-Key/);
      assert.match(response.headers.get('vary') ?? '', /Origin/);
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    });

    test('a preflight from another origin is rejected', async () => {
      const response = await preflight('https://evil.example');
      assert.equal(response.status, 403);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    });

    test('an allowed page can read error responses too', async () => {
      const response = await openTestServer().post(path, '{');
      assert.ok(response.status >= 400);
      assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/);
      assert.ok(response.headers.get('vary')?.split(', ').includes('Origin'));
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      test(`405 for ${method}`, async () => {
        const response = await openTestServer().server.request(path, { method });
        assert.equal(response.status, 405);
        assert.equal(response.headers.get('allow'), 'POST');
        if (method !== 'HEAD') assert.equal((await errorOf(response)).type, 'method_not_allowed');
      });
    }

    test('an OPTIONS request that is not a preflight returns 204 and Allow', async () => {
      const response = await openTestServer().server.request(path, { method: 'OPTIONS' });
      assert.deepEqual([response.status, response.headers.get('allow')], [204, 'POST']);
    });
  });
}

for (const path of GETS) {
  test(`405 for POST ${path}`, async () => {
    const response = await openTestServer().post(path, {});
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
    assert.equal((await errorOf(response)).status, 405);
  });
}

describe('invalid input', () => {
  test('a body that is not declared as JSON returns 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const response = await openTestServer().post('/embed-sessions', {}, { 'content-type': type });
      assert.equal((await errorOf(response)).type, 'unsupported_media_type');
    }
  });

  test('a body that is not JSON returns 400', async () => {
    for (const body of ['{', 'null', '"x"', '[]', '\u0000', '{"form":}']) {
      const error = await errorOf(await openTestServer().post('/embed-sessions', body));
      assert.equal(error.status, 400, body);
      assert.match(error.message, /^body /, body);
    }
  });

  test('an unknown field returns 400, and the error names it', async () => {
    for (const body of ['{"amount_cents":1}', '{"__proto__":{"form":"x"}}', '{"form":5}']) {
      const error = await errorOf(await openTestServer().post('/embed-sessions', body));
      assert.equal(error.status, 400, body);
      assert.match(error.message, /^(amount_cents|__proto__|form) /);
    }
  });

  test('a body that is too large returns 413, also without Content-Length', async () => {
    const page = openTestServer();
    const oversizedBody = JSON.stringify({ form: 'x'.repeat(MAX_BODY_BYTES) });
    assert.equal(
      (await errorOf(await page.post('/embed-sessions', oversizedBody))).type,
      'payload_too_large',
    );
    const stream = new Blob([oversizedBody]).stream();
    const response = await page.server.request('/embed-sessions', {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    assert.equal((await errorOf(response)).status, 413);
  });

  test('an unknown path returns 404 with the error envelope', async () => {
    for (const path of ['/', '/donations', '/embed-sessions/', '/..%2fconnect.js', '/%00']) {
      assert.equal(
        (await errorOf(await openTestServer().server.request(path))).type,
        'not_found',
        path,
      );
    }
  });
});

describe('every response', () => {
  test('has a request id and restrictive security headers', async () => {
    const { server } = openTestServer();
    for (const path of [...POSTS, ...GETS, '/nowhere']) {
      const { headers } = await server.request(path);
      assert.match(headers.get('request-id') ?? '', /^[\w-]{36}$/, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(headers.get('x-powered-by'), null);
    }
  });

  test('keeps the request id of the client, unless it is unsafe to log', async () => {
    const { server } = openTestServer();
    const ask = async (id: string) =>
      (await server.request('/healthz', { headers: { 'request-id': id } })).headers.get(
        'request-id',
      );
    assert.equal(await ask('abc-123'), 'abc-123');
    assert.notEqual(await ask('abc 123'), 'abc 123');
  });
});

describe('secrets and personal data', () => {
  test('are in no response and in no log line', async () => {
    const page = openTestServer({ authorize: () => true, forms: { default: {}, gala: {} } });
    const recorded: string[] = [];
    const record = async (response: Response) => {
      const body = await response.clone().text();
      recorded.push(body, JSON.stringify([...response.headers]));
      return response;
    };
    const session = await page.openForm();
    const donation = { amount_cents: 5000, donor_email: 'ada@example.org', donor_name: 'Ada L' };
    await record(await page.post('/embed-sessions', {}));
    await record(await page.createPaymentIntent(session.session_token, donation));
    await record(await page.createPaymentIntent('broken.token.here', donation));
    await record(await page.post('/component-sessions', { components: ['donors'] }));
    await record(await page.server.request('/ada@example.org?email=ada@example.org'));
    for (const [status, type] of [
      [401, 'unauthorized'],
      [500, 'server_error'],
      [418, 'teapot'],
    ] as const) {
      upstream.failWith(() => errorResponse(status, type, `Bearer ${API_KEY} is wrong`));
      await record(await page.createPaymentIntent(session.session_token, donation));
      await record(await page.post('/embed-sessions', { form: 'gala' }));
    }
    const log = JSON.stringify(page.lines);
    for (const text of [recorded.join('\n'), log]) assert.ok(!text.includes(API_KEY));
    assert.ok(!recorded.join('\n').includes('gb_es_'), 'the shared session token stays here');
    for (const secret of [SESSION_SECRET, session.session_token, 'ada@', 'Ada L', 'broken.token']) {
      assert.ok(!log.includes(secret), secret);
    }
  });

  test('are not in the request log, which has one line a request with its route', async () => {
    const page = openTestServer();
    await page.openForm();
    await page.server.request('/nowhere?token=x');
    const lines = page.lines.filter(({ message }) => message === 'request');
    assert.partialDeepStrictEqual(lines, [
      { level: 'info', method: 'POST', route: '/embed-sessions', status: 201 },
      { level: 'info', method: 'GET', status: 404 },
    ]);
    assert.equal(lines.length, 2);
  });

  test('are not in the response to an unexpected error: it is logged, and the response is a bare 500', async () => {
    const page = openTestServer({
      fetch: () => {
        throw new TypeError(`Bearer ${API_KEY} is an invalid header value`);
      },
    });
    const error = await errorOf(await page.post('/embed-sessions', {}));
    assert.equal(error.status, 503);
    assert.match(JSON.stringify(page.lines), /\[secret\]/);
  });
});

describe('mounted under a path', () => {
  const ask = (fetch: (request: Request) => Response | Promise<Response>, path: string) =>
    fetch(
      new Request(`https://host.example${path}`, {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': 'application/json' },
        body: '{}',
      }),
    );

  test('serves under the configured base path', async () => {
    const { server } = openTestServer({ basePath: '/connect' });
    assert.equal((await ask(server.fetch, '/connect/embed-sessions')).status, 201);
    assert.equal((await ask(server.fetch, '/embed-sessions')).status, 404);
    assert.equal((await server.request('/connect/healthz')).status, 200);
  });

  test('serves under a path that the host strips', async () => {
    const host = new Hono().mount('/pay', openTestServer().server.fetch);
    assert.equal((await ask((r) => host.fetch(r), '/pay/embed-sessions')).status, 201);
  });

  test('serves as a route of another Hono app', async () => {
    const host = new Hono().route('/pay', openTestServer().server);
    assert.equal((await ask((r) => host.fetch(r), '/pay/embed-sessions')).status, 201);
    assert.equal((await ask((r) => host.fetch(r), '/pay/payment-intents')).status, 401);
  });
});

describe('https://*.example.org as an allowed origin', () => {
  const origins = ['https://*.example.org'];
  const ask = (origin: string, method = 'POST') =>
    openTestServer({ origins }).server.request('/embed-sessions', {
      method,
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test('allows a subdomain and its preflight', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const response = await ask('https://shop.example.org', method);
      assert.equal(response.status, method === 'POST' ? 201 : 204);
      const allowed = response.headers.get('access-control-allow-origin');
      assert.equal(allowed, 'https://shop.example.org');
    }
  });

  test('allows neither the domain itself nor a lookalike domain', async () => {
    for (const origin of [
      'https://example.org',
      'https://evil-example.org',
      'https://shop.example.org.evil.net',
      'http://shop.example.org',
      'https://*.example.org',
    ]) {
      for (const method of ['POST', 'OPTIONS']) {
        const response = await ask(origin, method);
        assert.equal(response.status, 403, origin);
        assert.equal(response.headers.get('access-control-allow-origin'), null);
      }
    }
  });

  test('passes a pattern of subdomains on to the session of the form', async () => {
    await ask('https://shop.example.org');
    assert.deepEqual(upstream.callsOf('/embed-sessions')[0]?.body, {
      form_name: 'default',
      origins,
    });
  });
});

describe('an invalid configuration is rejected with the name of the field', () => {
  for (const [config, expectedMessage] of [
    [{ origins: ['https://a.example/'] }, /origins\.0 must be an origin/],
    [{ origins: ['*'] }, /origins\.0 must be an origin/],
    [{ origins: ['https://*.org'] }, /origins\.0 must be an origin/],
    [{ origins: ['https://a*.example.org'] }, /origins\.0 must be an origin/],
    [{ origins: ['null'] }, /origins\.0 must be an origin/],
    [{ forms: { gala: { amount: 5 } } }, /forms\.gala\.amount is not a known parameter/],
    [{ forms: { gala: { min_amount_cents: 10 } } }, /forms\.gala\.min_amount_cents /],
    [{ sessionSecret: 'short' }, /sessionSecret must be at least 32/],
    [{ apiKey: 'two words' }, /apiKey /],
    [{ apiBase: 'localhost:4000' }, /apiBase /],
    [{ basePath: '/connect/' }, /basePath /],
    [{ limits: { visitor: { points: 0, seconds: 1 } } }, /limits\.visitor\.points /],
  ] as const) {
    test(JSON.stringify(config), () => {
      assert.throws(() => openTestServer(config), expectedMessage);
    });
  }
});
