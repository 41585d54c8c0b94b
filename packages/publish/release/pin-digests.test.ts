import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pinDigests } from './pin-digests.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = [
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
];
const folder = mkdtempSync(join(tmpdir(), 'connect-digests-'));
const { PATH } = process.env;

/** Programs in place of the registries: each tag has the digest that is made of `digit`. */
function setRegistries(digit: string) {
  const write = (name: string, script: string) =>
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  write('docker', `echo sha256:${digit.repeat(64)}`);
  // An annotated tag: its own object first, then the commit.
  write(
    'git',
    `printf '%s\\t%s\\n' ${'e'.repeat(40)} refs/tags/v4 ${digit.repeat(40)} 'refs/tags/v4^{}'`,
  );
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

describe('the digests of a release', () => {
  before(() => {
    mkdirSync(join(folder, 'bin'));
    for (const file of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${PATH}`;
  });
  after(() => {
    process.env['PATH'] = PATH;
    rmSync(folder, { recursive: true });
  });

  test('are written beside the tag of every image and action, and replaced by the next release', () => {
    for (const digit of ['1', '2']) {
      setRegistries(digit);
      pinDigests(folder);
      const digest = digit.repeat(64);
      assert.equal(
        read('deploy/Dockerfile').split(`FROM node:24-slim@sha256:${digest}`).length - 1,
        2,
      );
      assert.match(
        read('deploy/Dockerfile'),
        new RegExp(`^FROM node:24-slim@sha256:${digest} AS build$`, 'm'),
      );
      for (const image of ['postgres:18', 'caddy:2'])
        assert.ok(read('deploy/compose.yaml').includes(`image: ${image}@sha256:${digest}\n`));
      assert.match(read('deploy/compose.yaml'), /image: connect-embed:[\d.]+\n/, 'our own');
      for (const file of FILES.slice(2)) {
        const used = read(file).match(/uses: .+/g) ?? [];
        assert.ok(used.length > 1);
        for (const line of used) {
          assert.match(line, new RegExp(`^uses: actions/[a-z-]+@${digit.repeat(40)} # v\\d+$`));
        }
      }
    }
  });

  test('are required: a release without a registry changes no file', () => {
    const before = FILES.map(read);
    writeFileSync(join(folder, 'bin/docker'), '#!/bin/sh\nexit 1\n');
    assert.throws(() => pinDigests(folder), /could not be read: docker buildx .* node:24-slim/);
    assert.deepEqual(FILES.map(read), before);
  });
});
