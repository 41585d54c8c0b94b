import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { readPackageJson } from '../workspace.ts';
import { addToChangelog, describeChanges, type Changeset } from './changelog.ts';
import { FILES_WITH_VERSION, setVersion } from './set-version.ts';
import { largestBump, type Bump } from './version.ts';

const ROOT = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'connect-release-'));
after(() => rmSync(folder, { recursive: true }));

const changeset = (id: string, type: Bump): Changeset => ({
  id,
  summary: `The change ${id},\nin two lines.`,
  releases: [{ type }, { type: 'patch' }],
});
const bumpOf = ({ releases }: Changeset) => largestBump(releases.map(({ type }) => type));

test('the changelog has the latest release first, in one entry for all packages', () => {
  const one = describeChanges([changeset('one', 'patch')], bumpOf);
  const others = [changeset('two', 'patch'), changeset('three', 'minor')];
  const first = addToChangelog('# Changelog\n', '0.1.0', one);
  assert.equal(
    addToChangelog(first, '0.2.0', describeChanges(others, bumpOf)),
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

test('changes of the first release follow its text', () => {
  const one = describeChanges([changeset('one', 'patch')], bumpOf);
  const text = '# Changelog\n\n## 0.1.0\n\nThe first release.\n';
  assert.equal(addToChangelog(text, '0.1.0', ''), text);
  assert.equal(
    addToChangelog(text, '0.1.0', one),
    `${text}\n### Fixed and improved\n\n- The change one,\n  in two lines.\n`,
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
    devDependencies: { 'connect-embed': '^0.1.0' },
  };
  mkdirSync(join(folder, 'packages/react'), { recursive: true });
  write('package.json', { workspaces: ['packages/*'] });
  write('packages/react/package.json', workspace);
  const lit = { version: '3.1.0' };
  write('package-lock.json', {
    packages: { 'packages/react': workspace, 'node_modules/lit': lit },
  });
  for (const file of FILES_WITH_VERSION) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'connect-embed:0.1.0');
  }
  setVersion(folder, '0.1.0', '0.2.0');
  for (const file of FILES_WITH_VERSION) {
    assert.equal(readFileSync(join(folder, file), 'utf8'), 'connect-embed:0.2.0');
  }
  const released = {
    ...workspace,
    version: '0.2.0',
    dependencies: { '@connect-embed/elements': '^0.2.0', lit: '^3.0.0' },
    devDependencies: { 'connect-embed': '^0.2.0' },
  };
  assert.deepEqual(read('packages/react/package.json'), released);
  assert.deepEqual(read('package-lock.json')['packages'], {
    'packages/react': released,
    'node_modules/lit': lit,
  });
});

test('every other file that names the version is none that a release has to change', () => {
  const { version } = readPackageJson('packages/elements');
  // Manifests, the history, the plugin with its own version, and examples of versions in this folder.
  const others = [
    '*package*.json',
    'CHANGELOG.md',
    'docs/decisions',
    'integrations',
    'packages/publish/release',
  ];
  const exclude = [...FILES_WITH_VERSION, ...others].map((path) => `:!${path}`);
  const search = ['grep', '--files-with-matches', '--fixed-strings', '--word-regexp', version];
  const { stdout } = spawnSync('git', [...search, '--', ...exclude], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(
    stdout,
    '',
    'Read the version from a package.json, or add the file to FILES_WITH_VERSION.',
  );
});
