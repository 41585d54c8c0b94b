import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROLES, type Role } from '@connect-embed/api/process/roles';

const SCRIPT = join(import.meta.dirname, '../../test-support/loaded-packages.ts');

async function listLoadedPackages(role: Role): Promise<Set<string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, role]);
  return new Set(stdout.trim().split('\n'));
}

const [api, worker, all] = (await Promise.all(ROLES.map(listLoadedPackages))) as [
  Set<string>,
  Set<string>,
  Set<string>,
];

/** What only the API needs: pages and documentation. */
const API_ONLY = ['dashboard', 'donor-pages', 'src/openapi'];
/** Packages that are loaded with the first request that needs them: sign-in and OAuth. */
const LOADED_LATER = ['better-auth', 'oidc-provider', 'jose'];
/** Packages that only the worker needs. */
const WORKER_ONLY = ['undici'];

test('a worker loads no code of the API', () => {
  for (const name of API_ONLY) {
    assert.ok(all.has(name), `${name} is loaded by the role all`);
    assert.ok(api.has(name), `${name} is loaded by a process that serves requests`);
    assert.ok(!worker.has(name), name);
  }
});

test('the API loads no code of the delivery worker', () => {
  for (const name of WORKER_ONLY) {
    assert.ok(all.has(name), `${name} is loaded by the role all`);
    assert.ok(worker.has(name), `${name} is loaded by a worker`);
    assert.ok(!api.has(name), name);
  }
});

test('no process loads the libraries for sign-in and OAuth at its start', () => {
  for (const name of LOADED_LATER) {
    for (const role of [all, api, worker]) assert.ok(!role.has(name), name);
  }
});
