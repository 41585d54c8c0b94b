import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FormSession } from '@connect-embed/contract';
import { decodeJwt } from 'jose';
import { withArchive } from '../script-archive.ts';
import { openScriptFolder } from '../script-folder.ts';
import { openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

const folder = await mkdtemp(join(tmpdir(), 'whole-'));
after(() => rm(folder, { recursive: true }));
await writeFile(join(folder, 'connect.js'), 'plain');
await writeFile(join(folder, 'whole.js'), '(OPENED=>{globalThis.opened=OPENED})');
await mkdir(join(folder, 'v0.9.0'));
await writeFile(join(folder, 'v0.9.0', 'connect.js'), 'old');

const scripts = withArchive(openScriptFolder(folder, '1.2.3'), folder);
const upstream = await startUpstream();
const NAMES = 'a "quoted" \\ </script><!-- \u2028 \u2029 ${1} ` é';
const forms = {
  meals: { prefill: { donor_name: 'Ada' } },
  [NAMES]: { preset_amounts_cents: [5000] },
};
const openTestServer = (config = {}, apiBase = upstream.apiBase) =>
  openServer(apiBase, { scripts, forms, ...config }).server;
const getScript = (server: ReturnType<typeof openTestServer>, path: string, headers = {}) =>
  server.request(path, { headers: { origin: ORIGIN, ...headers } });

/** Runs the script and returns the form and session that it receives. */
function run(code: string) {
  const page: { opened?: { form: string; session: string } } = {};
  runInNewContext(code, page);
  const { form, session } = page.opened!;
  return { form, session: JSON.parse(session) as FormSession };
}

describe('GET /connect.js?form=meals', () => {
  test('returns script, form and a session of this visitor and page in one response', async () => {
    const server = openTestServer();
    const [item, other] = [
      await getScript(server, '/connect.js?form=meals'),
      await getScript(server, '/connect.js?form=meals'),
    ];
    assert.equal(item.status, 200);
    assert.equal(item.headers.get('content-type'), 'text/javascript; charset=utf-8');
    const { form, session } = run(await item.text());
    assert.equal(form, 'meals');
    assert.equal(session.form.object, 'embed_form');
    const claims = decodeJwt(session.session_token);
    assert.deepEqual([claims['form'], claims['origin']], ['meals', ORIGIN]);
    assert.notEqual(decodeJwt(run(await other.text()).session.session_token).sub, claims.sub);
    assert.equal(upstream.callsOf('/embed-sessions').length, 1);
  });

  test('is not cached, and readable by the requesting origin only', async () => {
    const response = await getScript(openTestServer(), '/connect.js?form=meals');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('etag'), null);
    assert.equal(response.headers.get('vary'), 'Origin, Sec-Fetch-Site, Accept-Encoding');
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
  });

  test('is compressed as the browser accepts', async () => {
    const server = openTestServer();
    for (const [coding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await getScript(server, '/connect.js?form=meals', {
        'accept-encoding': coding,
      });
      assert.equal(response.headers.get('content-encoding'), coding);
      assert.equal(run(decompress(await response.arrayBuffer()).toString()).form, 'meals');
    }
    const plain = await getScript(
      openTestServer({ scripts: { find: scripts.find } }),
      '/connect.js?form=meals',
      {
        'accept-encoding': 'br',
      },
    );
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(run(await plain.text()).form, 'meals');
  });

  test('is compressed well as soon as its shared start has been compressed', async () => {
    const server = openTestServer();
    const get = async () => {
      const headers = { 'accept-encoding': 'br' };
      const response = await getScript(server, '/connect.js?form=meals', headers);
      return Buffer.from(await response.arrayBuffer());
    };
    let body = await get();
    // The end is not compressed then, so the visitor's token can be read in it.
    while (!body.includes('session_token')) body = await get();
    const [first, second] = [body, await get()].map((item) =>
      run(brotliDecompressSync(item).toString()),
    );
    assert.equal(first!.session.form.object, 'embed_form');
    assert.deepEqual(second!.session.form, first!.session.form);
    const [one, other] = [first!, second!].map(({ session }) => decodeJwt(session.session_token));
    assert.notEqual(one!.sub, other!.sub);
  });

  test('escapes every character of a form name', async () => {
    const response = await getScript(
      openTestServer(),
      `/connect.js?form=${encodeURIComponent(NAMES)}`,
    );
    const code = await response.text();
    assert.equal(run(code).form, NAMES);
    assert.doesNotMatch(code, /<|\u2028|\u2029/);
  });

  test('works under the versioned path too', async () => {
    const response = await getScript(openTestServer(), '/v1.2.3/connect.js?form=meals');
    assert.equal(run(await response.text()).form, 'meals');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });

  test('works for a page on the server’s own origin', async () => {
    const server = openTestServer({ origins: ['https://give.example'] });
    const response = await server.request('https://give.example/connect.js?form=meals', {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(run(await response.text()).form, 'meals');
  });
});

describe('the plain script, which opens its session itself,', () => {
  const plain = async (response: Response, body = 'plain') => {
    assert.equal(response.status, 200);
    assert.equal(await response.text(), body);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('vary'), 'Origin, Sec-Fetch-Site, Accept-Encoding');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  };

  test('is returned to an origin that is not allowed or unknown', async () => {
    const server = openTestServer();
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin' }, // The host is not on the allow-list.
      { referer: `${ORIGIN}/give` },
      {},
    ]) {
      await plain(await server.request('/connect.js?form=meals', { headers }));
    }
    // The allowed sites of the dashboard.
    assert.deepEqual(
      upstream.calls.map(({ path }) => path),
      ['/api/v1/allowed-sites'],
    );
  });

  test('is returned for a form that is not configured', async () => {
    const server = openTestServer();
    for (const name of ['gala', '__proto__', 'constructor', 'x'.repeat(5000)]) {
      await plain(await getScript(server, `/connect.js?form=${name}`));
    }
    // The forms of the dashboard.
    assert.deepEqual(
      upstream.calls.map(({ path }) => path),
      ['/api/v1/forms'],
    );
  });

  test('is returned while the API is unavailable', async () => {
    const server = openTestServer();
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    await plain(await getScript(server, '/connect.js?form=meals'));
    await plain(
      await getScript(openTestServer({}, 'http://127.0.0.1:9/api/v1'), '/connect.js?form=meals'),
    );
  });

  test('is returned soon if the API does not respond', { timeout: 20_000 }, async () => {
    const server = openTestServer();
    let respond = () => {};
    const pendingResponse = new Promise<void>((resolve) => (respond = resolve));
    upstream.failWith(
      async () => (await pendingResponse, errorResponse(500, 'server_error', 'down')),
    );
    const before = Date.now();
    await plain(await getScript(server, '/connect.js?form=meals'));
    assert.ok(Date.now() - before < 5000);
    respond();
  });

  test('is returned for a version without the combined script', async () => {
    await plain(await getScript(openTestServer(), '/v0.9.0/connect.js?form=meals'), 'old');
  });
});

test('a request without a form is cached as usual', async () => {
  for (const path of [
    '/connect.js',
    '/connect.js?form=',
    '/connect.js?again',
    '/whole.js?form=a',
  ]) {
    const response = await getScript(openTestServer(), path);
    assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=300/);
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
  }
  assert.equal(upstream.calls.length, 0);
});
