import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressShared } from '../node/compressors.ts';
import { archiveScripts, withArchive } from '../scripts/script-archive.ts';
import { openScriptFolder } from '../scripts/script-folder.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';

const folder = await mkdtemp(join(tmpdir(), 'scripts-'));
after(() => rm(folder, { recursive: true }));

const PUBLIC_URL = 'https://giving.example.org';
const MAIN = `customElements.define('connect-donate', class extends HTMLElement {});`.repeat(50);
const CHUNK = 'export const card = 1;'.repeat(50);
await writeFile(join(folder, 'connect.js'), MAIN);
await writeFile(join(folder, 'card-4fG_h2kQ.js'), CHUNK);
await writeFile(join(folder, 'custom-elements.json'), '{}');
await mkdir(join(folder, 'v0.9.0'));
await writeFile(join(folder, 'v0.9.0', 'connect.js'), 'old');

const openTestServer = (path: string) =>
  openServer('http://127.0.0.1:9', {
    scripts: withArchive(openScriptFolder(path, '1.2.3'), path),
  }).server;
const server = openTestServer(folder);
const get = (path: string, headers: Record<string, string> = {}) =>
  server.request(path, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('GET /connect.js', () => {
  test('is the built script, for any page, with a short max-age', async () => {
    const response = await get('/connect.js');
    assert.equal(response.status, 200);
    assert.equal(await response.text(), MAIN);
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(
      response.headers.get('cache-control'),
      'public, max-age=300, stale-while-revalidate=86400',
    );
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
  });

  test('contains the address of the server, also compressed, and not under a version', async () => {
    const placed = await mkdtemp(join(tmpdir(), 'scripts-'));
    after(() => rm(placed, { recursive: true }));
    const loader = `const server = '__CONNECT_SERVER_ADDRESS__';`.padEnd(2000);
    await writeFile(join(placed, 'connect.js'), loader);
    const { server } = openServer('http://127.0.0.1:9', {
      publicUrl: PUBLIC_URL,
      scripts: openScriptFolder(placed, '1.2.3'),
      compressShared,
    });
    const expected = loader.replace('__CONNECT_SERVER_ADDRESS__', PUBLIC_URL);
    assert.equal(await (await server.request('/connect.js')).text(), expected);
    const headers = { 'accept-encoding': 'br' };
    const brotli = await bytesOf(await server.request('/connect.js', { headers }));
    assert.equal(brotliDecompressSync(brotli).toString(), expected);
    assert.equal(await (await server.request('/v1.2.3/connect.js')).text(), loader);
  });

  test('is compressed as the browser accepts', async () => {
    const brotli = await get('/connect.js', { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers.get('content-encoding'), 'br');
    assert.equal(brotliDecompressSync(await bytesOf(brotli)).toString(), MAIN);
    const gzip = await get('/connect.js', { 'accept-encoding': 'gzip, br;q=0' });
    assert.equal(gzip.headers.get('content-encoding'), 'gzip');
    assert.equal(gunzipSync(await bytesOf(gzip)).toString(), MAIN);
    assert.notEqual(gzip.headers.get('etag'), brotli.headers.get('etag'));
    const plain = await get('/connect.js', { 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
  });

  test('returns 304 if the browser has the current version', async () => {
    const etag = (await get('/connect.js')).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const response = await get('/connect.js', { 'if-none-match': known });
      assert.equal(response.status, 304);
      assert.equal(await response.text(), '');
      assert.ok(response.headers.get('cache-control'));
    }
    assert.equal((await get('/connect.js', { 'if-none-match': '"other"' })).status, 200);
  });

  test('responds to HEAD without a body', async () => {
    const response = await server.request('/connect.js', { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });
});

describe('immutable files', () => {
  for (const [path, body] of [
    ['/card-4fG_h2kQ.js', CHUNK],
    ['/v1.2.3/connect.js', MAIN],
    ['/v1.2.3/card-4fG_h2kQ.js', CHUNK],
    ['/v0.9.0/connect.js', 'old'],
  ] as const) {
    test(`${path} is cached as immutable`, async () => {
      const response = await get(path);
      assert.equal(await response.text(), body);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
    });
  }

  test('a version that does not exist returns 404', async () => {
    for (const path of ['/v1.2.4/connect.js', '/v0.9.0/card-4fG_h2kQ.js']) {
      assert.equal((await errorOf(await get(path))).status, 404);
    }
  });
});

describe('pages of earlier releases', () => {
  for (const folder of ['/', '/v1.2.3/', '/v0.9.0/']) {
    test(`GET ${folder}connect.js?form=meals is the plain script`, async () => {
      const [plain, withQuery] = [
        await get(`${folder}connect.js`),
        await get(`${folder}connect.js?form=meals`, { origin: 'https://www.example.org' }),
      ];
      assert.equal(withQuery.status, 200);
      assert.equal(await withQuery.text(), await plain.text());
      for (const name of ['cache-control', 'etag', 'vary'])
        assert.equal(withQuery.headers.get(name), plain.headers.get(name));
    });
  }
});

describe('only scripts are served', () => {
  for (const path of [
    '/custom-elements.json',
    '/..%2fpackage.js',
    '/%2e%2e/main.js',
    '/..%5c..%5cx.js',
    '/v1.2.3/..%2fconnect.js',
    '/v1.2.3/../../../server/app.js',
    '/..js',
    '/__proto__.js',
    '/connect.js%00.js',
    '//etc/passwd.js',
  ]) {
    test(`${path} is 404`, async () => {
      assert.equal((await get(path)).status, 404);
    });
  }
});

test('returns 503 with the build command while the script is missing, and serves it once it is built', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const empty = join(tmpdir(), randomUUID());
  const unbuilt = openTestServer(empty);
  const response = await unbuilt.request('/connect.js');
  assert.ok(response.headers.get('retry-after'));
  assert.equal(response.headers.get('access-control-allow-origin'), '*'); // Otherwise browsers would report a CORS error instead.
  const error = await errorOf(response);
  assert.equal(error.status, 503);
  assert.match(error.message, /npm run build/);
  await mkdir(empty);
  after(() => rm(empty, { recursive: true }));
  await writeFile(join(empty, 'connect.js'), 'built');
  // The server looks for the file once a second.
  mock.timers.tick(1000);
  assert.equal(await (await unbuilt.request('/connect.js')).text(), 'built');
});

test('returns 404 if the host serves the script itself', async () => {
  const { server } = openServer('http://127.0.0.1:9');
  assert.equal((await server.request('/connect.js')).status, 404);
});

test('GET /integrity.json lists the hashes, and no other JSON file is served', async () => {
  const release = await mkdtemp(join(folder, 'release-'));
  await writeFile(join(release, 'connect.js'), 'new');
  await writeFile(join(release, 'integrity.json'), '{"files":{}}');
  const server = openTestServer(release);
  for (const path of ['/integrity.json', '/v1.2.3/integrity.json']) {
    const response = await server.request(path);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(await response.text(), '{"files":{}}');
  }
  assert.equal((await get('/custom-elements.json')).status, 404);
});

describe('an archive of scripts', () => {
  test('keeps each version for the servers after it, and never changes one', async () => {
    const [archive, release] = [
      await mkdtemp(join(folder, 'a-')),
      await mkdtemp(join(folder, 'r-')),
    ];
    const start = async (version: string, content: string) => {
      await writeFile(join(release, 'connect.js'), content);
      await Promise.all([1, 2].map(() => archiveScripts(release, version, archive)));
      const scripts = withArchive(openScriptFolder(release, version), archive);
      return openServer('http://127.0.0.1:9', { scripts }).server;
    };
    await start('1.2.3', 'first');
    await start('1.2.3', 'changed');
    const server = await start('1.3.0', 'second');
    const textOf = async (path: string) => (await server.request(path)).text();
    assert.equal(await textOf('/v1.2.3/connect.js'), 'first');
    assert.equal(await textOf('/v1.3.0/connect.js'), 'second');
    assert.equal(await textOf('/connect.js'), 'second');
    assert.equal((await server.request('/v1.1.0/connect.js')).status, 404);
    const { mode } = await stat(join(archive, 'v1.2.3'));
    assert.equal(mode & 0o777, 0o755, 'servers of other users can read it');
  });

  test('prepares a file once for simultaneous requests', async () => {
    const { find } = withArchive(openScriptFolder(folder, '1.2.3'), folder);
    const [first, second] = await Promise.all([1, 2].map(() => find('v0.9.0/connect.js')));
    assert.ok(first);
    assert.equal(first, second);
  });

  test('loses the unfinished copies of servers that crashed', async () => {
    const archive = await mkdtemp(join(folder, 'a-'));
    const [abandoned, running] = [join(archive, 'copying-old'), join(archive, 'copying-new')];
    for (const copy of [abandoned, running]) await mkdir(copy);
    const yesterday = Date.now() / 1000 - 86_400;
    await utimes(abandoned, yesterday, yesterday);
    await archiveScripts(folder, '1.2.3', archive);
    assert.deepEqual((await readdir(archive)).sort(), ['copying-new', 'v1.2.3']);
  });

  test('that cannot be read is named with its variable', async () => {
    await assert.rejects(
      archiveScripts(folder, '1.2.3', join(folder, 'missing')),
      /^Error: SCRIPTS_ARCHIVE_DIR cannot be used: ENOENT: .*missing/,
    );
  });

  test('gets no version without connect.js', async () => {
    const archive = await mkdtemp(join(folder, 'a-'));
    await archiveScripts(join(folder, 'v9'), '1.2.3', archive);
    await archiveScripts(archive, '1.2.3', archive);
    assert.deepEqual(await readdir(archive), []);
  });
});
