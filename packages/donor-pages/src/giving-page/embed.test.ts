import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attributesOf,
  readDocument,
  textOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { errorOf, openServer, ORIGIN } from '@connect-embed/server/test-support/embedding-page';
import { errorResponse, startUpstream } from '@connect-embed/server/test-support/upstream';
import { givingPages } from './index.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const openTestServer = (config = {}) =>
  openServer(upstream.apiBase, { now, ...config }, givingPages()).server;

describe('GET /embed/{form}', () => {
  test('redirects to the hosted page of the form', async () => {
    const response = await openTestServer().request('/embed/default');
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), 'http://localhost/embed/es');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    const policy = response.headers.get('content-security-policy');
    assert.equal(policy, `default-src 'none'; frame-ancestors ${ORIGIN}`);
  });

  test('can be framed by the sites of the dashboard and the subdomains of the configuration', async () => {
    const server = openTestServer({ origins: ['https://*.example.org'] });
    upstream.setSites(['https://www.lantern.example']);
    const response = await server.request('/embed/default');
    const policy = response.headers.get('content-security-policy');
    const sites = 'https://*.example.org https://www.lantern.example';
    assert.equal(policy, `default-src 'none'; frame-ancestors ${sites}`);
  });

  test('costs the API requests of the form, and one for the sites that may frame it', async () => {
    const server = openTestServer();
    for (let visit = 0; visit < 100; visit += 1) await server.request('/embed/default');
    assert.equal(upstream.calls.length, 3);
    assert.equal(upstream.callsOf('/allowed-sites').length, 1);
  });

  test('redirects to a session with at least half an hour left', async () => {
    const server = openTestServer();
    await server.request('/embed/default');
    clock += 29 * 60_000;
    await server.request('/embed/default');
    assert.equal(upstream.callsOf('/embed-sessions').length, 1);
    clock += 2 * 60_000;
    await server.request('/embed/default');
    assert.equal(upstream.callsOf('/embed-sessions').length, 2);
  });

  test('returns 404 for a form that is not configured', async () => {
    const error = await errorOf(await openTestServer().request('/embed/gala'));
    assert.deepEqual([error.status, error.type], [404, 'not_found']);
  });

  test('returns 503 with Retry-After while the API is unavailable', async () => {
    upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
    const response = await openTestServer().request('/embed/default');
    assert.equal(response.status, 503);
    assert.ok(response.headers.get('retry-after'));
  });

  describe('requested by a browser', () => {
    const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const read = async (path: string, headers = {}) => {
      const response = await openTestServer().request(path, {
        headers: { ...browserHeaders, ...headers },
      });
      const text = await response.text();
      return { response, text, document: readDocument(text) };
    };

    test('returns an HTML page for 404, also in a frame on an allowed site', async () => {
      const { response, text, document } = await read('/embed/gala', {
        'sec-fetch-dest': 'iframe',
      });
      assert.equal(response.status, 404);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('vary') ?? '', /Accept, Accept-Language/);
      const policy = response.headers.get('content-security-policy') ?? '';
      const [, nonce] = /^default-src 'none'; style-src 'nonce-([\w-]+)'; /.exec(policy) ?? [];
      assert.ok(policy.endsWith(`; frame-ancestors ${ORIGIN}`));
      assert.deepEqual(attributesOf(document, 'style', 'nonce'), [nonce]);
      assert.equal(textOf(document, 'h1'), 'Donation page not found');
      assert.ok(document.querySelector('meta[name="color-scheme"][content="light"]'));
      assert.equal(document.querySelector('script, [style]'), null);
      assert.ok(!text.includes('gala'));
    });

    test('uses the language of the visitor', async () => {
      const { document } = await read('/embed/gala', { 'accept-language': 'pl, he-IL;q=0.9' });
      assert.ok(document.querySelector('html[lang="he-IL"][dir="rtl"]'));
      assert.equal(textOf(document, 'h1'), 'דף התרומה לא נמצא');
    });

    test('returns an HTML page for 503, with Retry-After', async () => {
      upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
      const { response, document } = await read('/embed/default');
      assert.equal(response.status, 503);
      assert.ok(response.headers.get('retry-after'));
      assert.equal(textOf(document, 'h1'), 'The donation page is not available right now');
      assert.ok(document.querySelector('meta[name="color-scheme"][content="light dark"]'));
    });

    test('returns an HTML page for every other path below /embed', async () => {
      const { response, document } = await read('/embed/a/b');
      assert.equal(response.status, 404);
      assert.equal(textOf(document, 'h1'), 'Donation page not found');
    });
  });

  test('passes on the theme parameter and no other', async () => {
    const server = openTestServer();
    const locationFor = async (query: string) =>
      (await server.request(`/embed/default?${query}`)).headers.get('location');
    assert.equal(await locationFor('theme=dark'), 'http://localhost/embed/es?theme=dark');
    assert.equal(await locationFor('theme=x%0d%0ay'), 'http://localhost/embed/es');
    assert.equal(await locationFor('token=1&theme=pink'), 'http://localhost/embed/es');
  });

  test('passes on the fields that the form may prefill from the URL, and no others', async () => {
    const server = openTestServer({
      forms: { letter: { prefill_from_url: ['amount_cents', 'donor_name'] } },
    });
    const response = await server.request(
      '/embed/letter?donor_name=Ada+L%26x&amount_cents=2500&donor_email=a%40b.org&theme=dark',
    );
    const { search, searchParams } = new URL(response.headers.get('location') ?? '');
    assert.equal(search, '?amount_cents=2500&donor_name=Ada+L%26x&theme=dark');
    assert.equal(searchParams.get('donor_name'), 'Ada L&x');
  });

  test('allows GET and HEAD only', async () => {
    const response = await openTestServer().request('/embed/default', { method: 'POST' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  });
});
