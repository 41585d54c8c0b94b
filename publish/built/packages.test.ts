import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { PACKAGES } from '../packages.ts';
import { tarballOf } from './installed-site.ts';

/** Ways to find a package that have no ES modules; ours are nothing else. */
const WITHOUT_MODULES = new Set(['node10', 'node16-cjs']);

for (const name of PACKAGES) {
  describe(`the tarball of @connect-embed/${name}`, () => {
    const data = readFileSync(tarballOf(name));

    test('is what publint would publish', async () => {
      const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
      const { messages } = await publint({ pack: { tarball }, level: 'suggestion' });
      assert.deepEqual(messages, []);
    });

    test('has the right types at every door', async () => {
      const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
      assert.ok(analysis.types, 'it has types');
      const wrong = analysis.problems.filter(
        (problem) =>
          !('resolutionKind' in problem && WITHOUT_MODULES.has(problem.resolutionKind)) &&
          !('resolutionOption' in problem && WITHOUT_MODULES.has(problem.resolutionOption)),
      );
      assert.deepEqual(wrong, []);
    });
  });
}
