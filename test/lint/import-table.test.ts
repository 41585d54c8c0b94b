import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '../..');

/** The project's own configuration without type information, because the code is not in a real file. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) =>
    ruleId === 'workspace/import-table' || ruleId === 'no-restricted-syntax',
});

async function problems(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) });
  return result!.messages.map(({ ruleId, message }) => (ruleId ? message : `broken: ${message}`));
}

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
    `await import('../packages/api/src/app.ts');`,
  ],
  [
    'a relative path into another package in export',
    'server/a.ts',
    `export * from '../packages/api/src/app.ts';`,
  ],
  ['the API in the server', 'server/a.ts', `import { app } from '@connect-embed/api';`],
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
  ['a development package in tests', 'packages/api/src/a.test.ts', `import { Ajv } from 'ajv';`],
  ['Node in tests', 'packages/contract/src/a.test.ts', `import { test } from 'node:test';`],
] as const;

describe('the import table', () => {
  for (const [description, file, text] of FORBIDDEN) {
    test(`rejects ${description}`, async () =>
      assert.equal((await problems(file, text)).length, 1));
  }
  for (const [description, file, text] of ALLOWED) {
    test(`allows ${description}`, async () => assert.deepEqual(await problems(file, text), []));
  }
});

describe('the environment', () => {
  const text = `export const port = process.env['PORT'];`;

  test('may be read by config.ts', async () => {
    assert.deepEqual(await problems('server/config.ts', text), []);
  });

  test('may not be read by other files', async () => {
    assert.equal((await problems('server/app.ts', text)).length, 1);
  });
});
