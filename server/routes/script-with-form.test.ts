import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PublicForm } from '@connect-embed/contract';
import { compressShared } from '../compressors.ts';
import { withArchive } from '../script-archive.ts';
import { openScriptFolder } from '../script-folder.ts';
import { openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

const folder = await mkdtemp(join(tmpdir(), 'with-form-'));
after(() => rm(folder, { recursive: true }));
await writeFile(join(folder, 'connect.js'), 'plain');
await writeFile(join(folder, 'with-form.js'), '(FORM=>{globalThis.form=FORM})');
await mkdir(join(folder, 'v0.9.0'));
await writeFile(join(folder, 'v0.9.0', 'connect.js'), 'old');

const scripts = withArchive(openScriptFolder(folder, '1.2.3'), folder);
const upstream = await startUpstream();
const NAMES = 'a "quoted" \\ </script><!-- \u2028 \u2029 ${1} ` é';
const forms = {
  meals: {},
  [NAMES]: { preset_amounts_cents: [5000] },
};
const openTestServer = (config = {}, apiBase = upstream.apiBase) =>
  openServer(apiBase, { scripts, forms, compressShared, ...config }).server;
const getScript = (server: ReturnType<typeof openTestServer>, path: string, headers = {}) =>
  server.request(path, { headers: { origin: ORIGIN, ...headers } });

/** Runs the script and returns the name and the form that it receives. */
function run(code: string) {
  const page: { form?: { name: string; response: string } } = {};
  runInNewContext(code, page);
  const { name, response } = page.form!;
  return { name, form: JSON.parse(response) as PublicForm };
}

describe('GET /connect.js?form=meals', () => {
  test('returns script and form in one response, the same to every visitor', async () => {
    const server = openTestServer();
    const [first, second] = [
      await getScript(server, '/connect.js?form=meals'),
      await getScript(server, '/connect.js?form=meals'),
    ];
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('content-type'), 'text/javascript; charset=utf-8');
    const code = await first.text();
    const { name, form } = run(code);
    assert.equal(name, 'meals');
    assert.equal(form.object, 'embed_form');
    assert.equal(await second.text(), code);
    assert.doesNotMatch(code, /token|publishable_key|stripe_account_id/);
    assert.equal(upstream.callsOf('/embed-sessions').length, 1);
  });

  test('may be kept by caches for a short time', async () => {
    const server = openTestServer();
    const response = await getScript(server, '/connect.js?form=meals');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=15');
    assert.equal(response.headers.get('vary'), 'Origin, Sec-Fetch-Site, Accept-Encoding');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const headers = { 'if-none-match': response.headers.get('etag') };
    assert.equal((await getScript(server, '/connect.js?form=meals', headers)).status, 304);
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
      assert.equal(run(decompress(await response.arrayBuffer()).toString()).name, 'meals');
    }
    const plain = await getScript(
      openTestServer({ compressShared: undefined }),
      '/connect.js?form=meals',
      {
        'accept-encoding': 'br',
      },
    );
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(run(await plain.text()).name, 'meals');
  });

  test('escapes every character of a form name', async () => {
    const response = await getScript(
      openTestServer(),
      `/connect.js?form=${encodeURIComponent(NAMES)}`,
    );
    const code = await response.text();
    assert.equal(run(code).name, NAMES);
    assert.doesNotMatch(code, /<|\u2028|\u2029/);
  });

  test('works under the versioned path too', async () => {
    const response = await getScript(openTestServer(), '/v1.2.3/connect.js?form=meals');
    assert.equal(run(await response.text()).name, 'meals');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=15');
  });

  test('works for a page on the server’s own origin', async () => {
    const server = openTestServer({ origins: ['https://give.example'] });
    const response = await server.request('https://give.example/connect.js?form=meals', {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(run(await response.text()).name, 'meals');
  });
});

describe('the plain script, which requests the form itself,', () => {
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

  test('is returned while the script of another form is being compressed', async () => {
    const { promise: blocked, resolve: finish } = Promise.withResolvers<void>();
    const server = openTestServer({
      compressShared: async (body: Uint8Array<ArrayBuffer>) => (
        await blocked,
        await compressShared(body)
      ),
    });
    const first = getScript(server, '/connect.js?form=meals');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await plain(await getScript(server, `/connect.js?form=${encodeURIComponent(NAMES)}`));
    finish();
    assert.equal(run(await (await first).text()).name, 'meals');
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
    '/with-form.js?form=a',
  ]) {
    const response = await getScript(openTestServer(), path);
    assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=300/);
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
  }
  assert.equal(upstream.calls.length, 0);
});
