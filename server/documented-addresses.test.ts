import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConnectServerConfig } from './connect-config.ts';
import { ORIGIN } from './test-support/embedding-page.ts';
import { runServer } from './test-support/run-process.ts';
import { startUpstream } from './test-support/upstream.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = [
  'README.md',
  'docs/*.md',
  'docs/site-builders/*.md',
  'server/README.md',
  'packages/publish/{readmes,examples}/**/*.*',
];
/** `giving.example.org` is the standalone server in every document and example. */
const ADDRESS = /https:\/\/giving\.example\.org([^\s"'`)>]*)/g;

/** Each documented path with the files that name it. */
const addresses = new Map<string, string[]>();
for (const file of globSync(DOCUMENTS, { cwd: ROOT }).sort()) {
  for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(ADDRESS)) {
    addresses.set(path, [...new Set([...(addresses.get(path) ?? []), file])]);
  }
}

describe('every documented address is served by node packages/cli/src/server/main.ts', () => {
  const started = startUpstream();
  let running: ReturnType<typeof runServer>;
  let base: string;
  before(async () => {
    const config = join(import.meta.dirname, 'test-support/documented-forms.config.ts');
    running = runServer({
      CONNECT_API_BASE: (await started).apiBase,
      ALLOWED_ORIGINS: ORIGIN,
      CONNECT_CONFIG: config,
    });
    base = await running.address();
  });
  after(() => running.stop());

  test('the documents name at least one address', () => {
    assert.ok(addresses.has('') && addresses.has('/connect.js'), [...addresses.keys()].join(' '));
  });

  for (const [path, files] of addresses) {
    test(`${path || 'the server'}: ${files.join(', ')}`, async () => {
      if (/\.js$|^\/(?:embed|give)\//.test(path)) {
        const response = await fetch(base + path, { redirect: 'manual' });
        assert.notEqual(response.status, 404);
        return;
      }
      // The path may be the `server` attribute of an element, which then calls routes below this
      // path.
      const response = await fetch(`${base}${path}/embed-sessions`, {
        method: 'POST',
        headers: { origin: ORIGIN },
      });
      assert.equal(response.status, 201, await response.text());
    });
  }
});

test('the guides name every option of createConnectServer', () => {
  const guides = globSync('docs/*.md', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  // The version is set by a build, and the clock by tests.
  const missing = Object.keys(ConnectServerConfig.shape)
    .filter((name) => name !== 'version' && name !== 'now')
    .filter((name) => !guides.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  assert.deepEqual(missing, []);
});
