import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addToChangelog, describeRelease, type Changeset } from './changelog.ts';
import { setVersion } from './set-version.ts';
import { largestBump, type Bump } from './version.ts';

const folder = mkdtempSync(join(tmpdir(), 'connect-release-'));
after(() => rmSync(folder, { recursive: true }));

const changeset = (id: string, type: Bump): Changeset => ({
  id,
  summary: `The change ${id},\nin two lines.`,
  releases: [{ type }, { type: 'patch' }],
});
const bumpOf = ({ releases }: Changeset) => largestBump(releases.map(({ type }) => type));

test('the changelog has the latest release first, in one entry for all packages', () => {
  const file = join(folder, 'CHANGELOG.md');
  const first = [changeset('one', 'patch')];
  addToChangelog(file, describeRelease('0.1.0', first, bumpOf));
  const second = [changeset('two', 'patch'), changeset('three', 'minor')];
  addToChangelog(file, describeRelease('0.2.0', second, bumpOf));
  assert.equal(
    readFileSync(file, 'utf8'),
    `# Changelog

## 0.2.0

### New and changed

- The change three,
  in two lines.

### Fixed and improved

- The change two,
  in two lines.

## 0.1.0

### Fixed and improved

- The change one,
  in two lines.
`,
  );
});

test('a release sets one version in every workspace and in the lock file', () => {
  const write = (path: string, json: object) =>
    writeFileSync(join(folder, path), JSON.stringify(json));
  const read = (path: string) =>
    JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;
  const workspace = {
    name: '@connect-embed/react',
    version: '0.1.0',
    dependencies: { '@connect-embed/elements': '^0.1.0', lit: '^3.0.0' },
  };
  mkdirSync(join(folder, 'packages/react'), { recursive: true });
  write('package.json', { workspaces: ['packages/*'] });
  write('packages/react/package.json', workspace);
  const lit = { version: '3.1.0' };
  write('package-lock.json', {
    packages: { 'packages/react': workspace, 'node_modules/lit': lit },
  });
  setVersion(folder, '0.2.0');
  const released = {
    ...workspace,
    version: '0.2.0',
    dependencies: { '@connect-embed/elements': '^0.2.0', lit: '^3.0.0' },
  };
  assert.deepEqual(read('packages/react/package.json'), released);
  assert.deepEqual(read('package-lock.json')['packages'], {
    'packages/react': released,
    'node_modules/lit': lit,
  });
});
