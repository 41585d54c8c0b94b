import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { LIBRARIES, PACKAGES } from '../packages.ts';
import { tarballOf } from './installed-site.ts';

/** CommonJS module resolutions. Our packages contain only ES modules and do not support them. */
const COMMONJS_RESOLUTIONS = new Set(['node10', 'node16-cjs']);

for (const name of PACKAGES) {
  test(`the tarball of ${name} passes publint`, async () => {
    const data = readFileSync(tarballOf(name));
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    const { messages } = await publint({ pack: { tarball }, level: 'suggestion' });
    assert.deepEqual(messages, []);
  });
}

for (const name of LIBRARIES) {
  test(`the tarball of ${name} has correct types for every export`, async () => {
    const data = readFileSync(tarballOf(name));
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
    assert.ok(analysis.types, 'it has types');
    const unexpectedProblems = analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem && COMMONJS_RESOLUTIONS.has(problem.resolutionKind)) &&
        !('resolutionOption' in problem && COMMONJS_RESOLUTIONS.has(problem.resolutionOption)),
    );
    assert.deepEqual(unexpectedProblems, []);
  });
}
