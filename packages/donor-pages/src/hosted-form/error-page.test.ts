import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { readError } from '@connect-embed/api/test-support/app/start-api';
import { readDocument, textOf } from '@connect-embed/api/test-support/browser/read-document';
import { createApp } from '@connect-embed/api/app';
import { readConfig } from '@connect-embed/api/config';
import { openDatabase } from '@connect-embed/api/db/database';
import { createDeps as createApiDeps } from '@connect-embed/api/process/deps';
import { createDeps } from '../deps.ts';
import { donorErrors } from '../error-page.ts';
import { donorPages } from '../routes.ts';

/** Simulates an unreachable database: nothing listens on port 9. */
const database = openDatabase('postgres://nobody:secret@127.0.0.1:9/nothing');
after(database.close);
const config = readConfig({ API_SECRET: 's'.repeat(32) });
const deps = createApiDeps(config, database, pino({}, { write() {} }));
const app = createApp(deps, {
  routes: [donorPages(createDeps(config, database, deps))],
  renderError: donorErrors(config.baseUrl),
});

describe('the hosted page while the database is unavailable', () => {
  const read = async (accept: string, query = '') =>
    await app.request(`/embed/es_1${query}`, { headers: { accept, 'accept-language': 'de' } });

  test('shows an error page to browsers, also in a frame', async () => {
    const response = await read('text/html,*/*;q=0.8', '?theme=dark');
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-frame-options'), null);
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors \*$/);
    const document = readDocument(await response.text());
    assert.ok(document.querySelector('html[lang="de"][dir="ltr"]'));
    assert.ok(document.querySelector('meta[name="color-scheme"][content="dark"]'));
    assert.equal(textOf(document, 'h1'), 'Die Spendenseite ist gerade nicht verfügbar');
    assert.equal(document.querySelector('script'), null);
  });

  test('returns a JSON error to other clients', async () => {
    assert.match(await readError(await read('*/*')), /^503 unavailable The database/);
  });
});
