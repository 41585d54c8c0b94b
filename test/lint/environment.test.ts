import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '../..');

/** The project's own configuration without type information, because the code is not in a real file. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
});

async function problems(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) });
  return result!.messages.map(({ ruleId, message }) => (ruleId ? message : `broken: ${message}`));
}

describe('the environment', () => {
  const text = `export const port = process.env['PORT'];`;

  test('may be read by config.ts', async () => {
    assert.deepEqual(await problems('server/config.ts', text), []);
  });

  test('may not be read by other files', async () => {
    assert.equal((await problems('server/app.ts', text)).length, 1);
  });
});
