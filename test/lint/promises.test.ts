import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
/** A temporary project with our configuration, because rules with type information read real files. */
const system = await mkdtemp(join(tmpdir(), 'connect-lint-'));
after(() => rm(system, { recursive: true }));

const ASYNC_FUNCTION = 'const later = (): Promise<boolean> => Promise.resolve(true);';

const FLOATING = {
  'server/floating.ts': `${ASYNC_FUNCTION} later();`,
  'server/chained.ts': `${ASYNC_FUNCTION} later().then(() => 1);`,
  'server/list.ts': `${ASYNC_FUNCTION} [1, 2].map(() => later());`,
  'server/condition.ts': `${ASYNC_FUNCTION} if (later()) console.log('always');`,
  'server/spread.ts': `${ASYNC_FUNCTION} console.log({ ...later() });`,
  'server/awaited.ts': `const plain = 1; console.log(await plain);`,
  'server/own.test.ts': `const test = async () => {}; test();`,
  'packages/elements/src/floating.ts': `${ASYNC_FUNCTION} later();`,
  'packages/elements/src/condition.test.ts': `${ASYNC_FUNCTION} if (later()) console.log('always');`,
  'packages/elements/src/test-support/wait-until.ts': `${ASYNC_FUNCTION} later();`,
};

const AWAITED = {
  'server/waited.ts': `${ASYNC_FUNCTION} await later();`,
  'server/on-purpose.ts': `${ASYNC_FUNCTION} void later();`,
  'server/handler.ts': `${ASYNC_FUNCTION} addEventListener('load', async () => { await later(); });`,
  'server/node.test.ts': `import { describe, test } from 'node:test'; describe('a', () => { test('b', () => {}); });`,
  'packages/elements/src/chai.test.ts': `${ASYNC_FUNCTION} later();`,
};

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(system, dirname(file)), { recursive: true });
    await writeFile(join(system, file), `${text}\nexport {};\n`);
  }
}

/** Runs the linter and returns the broken rules by file. */
async function lint(): Promise<Record<string, string[]>> {
  const run = promisify(execFile)(process.execPath, [OXLINT, '--format=json'], { cwd: system });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  const found: Record<string, string[]> = {};
  for (const { filename, code } of diagnostics) (found[filename] ??= []).push(code);
  return found;
}

interface Diagnostic {
  filename: string;
  code: string;
}
const OXLINT = join(root, 'node_modules/oxlint/bin/oxlint');

test('an unhandled promise is found, and nothing else', async () => {
  await cp(join(root, '.oxlintrc.json'), join(system, '.oxlintrc.json'));
  await symlink(join(root, 'node_modules'), join(system, 'node_modules'));
  const settings = { extends: join(root, 'tsconfig.json'), include: ['server', 'packages'] };
  await write({ ...FLOATING, ...AWAITED });
  await writeFile(join(system, 'tsconfig.json'), JSON.stringify(settings));

  const floating = ['typescript(no-floating-promises)'];
  const misused = ['typescript(no-misused-promises)'];
  assert.deepEqual(await lint(), {
    'server/floating.ts': floating,
    'server/chained.ts': floating,
    'server/list.ts': floating,
    'server/condition.ts': misused,
    'server/spread.ts': misused,
    'server/awaited.ts': ['typescript(await-thenable)'],
    'server/own.test.ts': floating,
    'packages/elements/src/floating.ts': floating,
    'packages/elements/src/condition.test.ts': misused,
    'packages/elements/src/test-support/wait-until.ts': floating,
  });
});
