import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { IMPORT_TABLE } from './import-table.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'connect-imports-'));
after(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function link(target: string, path: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path));
}

// The workspace with its manifests, and with the files and packages that the examples import.
for (const path of ['.', ...Object.keys(IMPORT_TABLE)]) {
  cpSync(join(root, path, 'package.json'), join(folder, path, 'package.json'));
}
for (const name of ['api', 'contract']) {
  link(join(folder, 'packages', name), `node_modules/@connect-embed/${name}`);
}
for (const name of ['ajv', 'hono', 'stripe', 'tldts', 'zod']) {
  link(join(root, 'node_modules', name), `node_modules/${name}`);
}
for (const file of ['index', 'hono', 'local-host', 'money']) {
  write(`packages/contract/src/${file}.ts`, '');
}
write('packages/api/src/app.ts', '');

const FORBIDDEN = [
  ['zod in the browser', 'packages/elements/src/a.ts', `import { z } from 'zod';`],
  [
    'a schema in the browser',
    'packages/elements/src/a.ts',
    `import { Donation } from '@connect-embed/contract';`,
  ],
  ['Node in the browser', 'packages/elements/src/a.ts', `import fs from 'node:fs';`],
  ['Node under its bare name', 'packages/elements/src/a.ts', `import fs from 'fs/promises';`],
  [
    'a relative path into another package',
    'server/routes/a.ts',
    `import { check } from '../../packages/contract/src/hono.ts';`,
  ],
  [
    'a relative path into another package in import()',
    'server/a.ts',
    `await import('../packages/contract/src/hono.ts');`,
  ],
  [
    'a relative path into another package in export',
    'server/a.ts',
    `export * from '../packages/contract/src/hono.ts';`,
  ],
  ['the API in the server', 'server/a.ts', `import { app } from '@connect-embed/api/app';`],
  ['the processor’s package in the server', 'server/a.ts', `import Stripe from 'stripe';`],
  ['the contract in the sandbox', 'packages/sandbox/src/a.ts', `import '@connect-embed/contract';`],
  ['stripe at run time in the sandbox', 'packages/sandbox/src/a.ts', `import S from 'stripe';`],
  ['hono in the rest of the contract', 'packages/contract/src/a.ts', `import 'hono';`],
  ['a package that is not declared', 'packages/api/src/a.ts', `import _ from 'lodash';`],
  ['a development package in code', 'packages/api/src/a.ts', `import { Ajv } from 'ajv';`],
] as const;

const ALLOWED = [
  [
    'types of the contract in the browser',
    'packages/elements/src/a.ts',
    `import type { Donation } from '@connect-embed/contract';`,
  ],
  [
    'zod-free files of the contract in the browser',
    'packages/elements/src/a.ts',
    `import { formatMoney } from '@connect-embed/contract/money';`,
  ],
  [
    'hono in hono.ts',
    'packages/contract/src/hono.ts',
    `import { bodyLimit } from 'hono/body-limit';`,
  ],
  [
    'the check of the host name in the sandbox',
    'packages/sandbox/src/a.ts',
    `import { isLocalHost } from '@connect-embed/contract/local-host';`,
  ],
  ['files of the same package', 'packages/api/src/routes/a.ts', `import { app } from '../app.ts';`],
  ['types of stripe in the sandbox', 'packages/sandbox/src/a.ts', `import type S from 'stripe';`],
  ['hono in the demo', 'demo/a.ts', `import { Hono } from 'hono';`],
] as const;

// The files have no tsconfig.json.
const { tsConfig: _, ...options } = await readOptions(join(root, '.dependency-cruiser.js'));

/** Writes a file and returns the rules that it breaks. */
async function brokenRules(file: string, text: string): Promise<string[]> {
  write(file, text);
  const { output } = await cruise([file], { ...options, baseDir: folder });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

describe('the import table', () => {
  for (const [description, file, text] of FORBIDDEN) {
    test(`rejects ${description}`, async () => {
      const rules = await brokenRules(file, text);
      assert.equal(rules.length, 1, rules.join(', '));
    });
  }
  for (const [description, file, text] of ALLOWED) {
    test(`allows ${description}`, async () => assert.deepEqual(await brokenRules(file, text), []));
  }
});
