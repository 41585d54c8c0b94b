import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROLES, type Role } from './roles.ts';

const SCRIPT = join(import.meta.dirname, '../test-support/loaded-packages.ts');

async function loadedBy(role: Role): Promise<Set<string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, role]);
  return new Set(stdout.trim().split('\n'));
}

const [api, worker, all] = (await Promise.all(ROLES.map(loadedBy))) as [
  Set<string>,
  Set<string>,
  Set<string>,
];

/** What only those who answer need: sign-in, OAuth, pages, documents. */
const FOR_ANSWERS = [
  'better-auth',
  'oidc-provider',
  'jose',
  'src/pages',
  'src/openapi',
  'src/hosted',
];
/** What only those who work need. */
const FOR_WORK = ['undici'];

test('a worker loads nothing of what answers people', () => {
  for (const name of FOR_ANSWERS) {
    assert.ok(all.has(name), `${name} is loaded where everything is`);
    assert.ok(api.has(name), `${name} is loaded by who answers`);
    assert.ok(!worker.has(name), name);
  }
});

test('who answers loads nothing of what delivers', () => {
  for (const name of FOR_WORK) {
    assert.ok(all.has(name), `${name} is loaded where everything is`);
    assert.ok(worker.has(name), `${name} is loaded by a worker`);
    assert.ok(!api.has(name), name);
  }
});
