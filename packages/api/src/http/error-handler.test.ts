import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { readError } from '../../test-support/app/start-api.ts';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { createDeps } from '../process/deps.ts';
import { LOG_SERIALIZERS } from '../lib/log.ts';

// No server listens on port 9, so the database is unreachable.
const database = openDatabase('postgres://nobody:secret@127.0.0.1:9/nothing');
after(database.close);
const logged: string[] = [];
const app = createApp(
  createDeps(
    readConfig({ API_SECRET: 's'.repeat(32) }),
    database,
    pino({}, { write: (line) => void logged.push(line) }),
  ),
);
const TOKEN = `gb_live_${'A'.repeat(43)}`;

describe('while the database is unreachable', () => {
  test('every route responds 503 with Retry-After', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await app.request('/api/v1/donations', { headers });
    assert.equal(response.headers.get('retry-after'), '1');
    assert.match(await readError(response), /^503 unavailable The database/);
  });

  test('the process is alive but not ready', async () => {
    assert.equal((await app.request('/healthz')).status, 200);
    assert.match(await readError(await app.request('/readyz')), /^503 unavailable /);
  });

  test('the log contains the cause but no secret', () => {
    assert.match(logged.join(''), /ECONNREFUSED/);
    for (const secret of [TOKEN, 'nobody', 'secret']) assert.ok(!logged.join('').includes(secret));
  });
});

test('an error is logged without its fields that may contain personal data', () => {
  const lines: string[] = [];
  const log = pino({ serializers: LOG_SERIALIZERS }, { write: (line) => void lines.push(line) });
  const row = { detail: 'Failing row contains (ada@example.org).', code: '23514' };
  const err = Object.assign(new Error('refused'), row, { cause: Object.assign(new Error(), row) });
  log.warn({ err }, 'told');
  log.warn({ err: 'a text' }, 'told');
  assert.match(lines[0] ?? '', /"message":"refused","code":"23514"/);
  assert.doesNotMatch(lines[0] ?? '', /ada@example/);
  assert.match(lines[1] ?? '', /a text/);
});

function fail(): never {
  throw new TypeError('a secret');
}

describe('an unexpected error', () => {
  test('is a 500 that reveals nothing about the cause', async () => {
    const appWithError = createApp({
      ...createDeps(readConfig({ API_SECRET: 's'.repeat(32) }), database, pino({}, { write() {} })),
      prepare: () => Object.assign(fail, { compile: fail }),
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await appWithError.request('/api/v1/donations', { headers });
    assert.match(
      await readError(response),
      /^500 server_error Something went wrong on our side\.$/,
    );
  });
});
