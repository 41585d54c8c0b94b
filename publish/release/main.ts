/** `npm run release` prepares the next release: docs/decisions/0106-releases.md. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitOnHelpOption } from '../../test/support/help-option.ts';
import { buildPackages, OUT } from '../packages.ts';
import { readPackageJson } from '../workspace.ts';
import { describeInterface, readBaseline, writeBaseline } from './baseline.ts';
import { addToChangelog, describeRelease, type Changeset } from './changelog.ts';
import { compareInterfaces } from './compare.ts';
import { setVersion } from './set-version.ts';
import { importTool, installReleaseTools } from './tools.ts';
import { largestBump, nextVersion, requireLargeEnough } from './version.ts';

exitOnHelpOption(`Prepares the next release from the changesets, after \`npm run build\`:
checks that its version is large enough for the changes of the elements' manifest and the OpenAPI
document, sets the version of all packages, writes CHANGELOG.md and publish/release/baseline, deletes
the changesets, and builds the tarballs. Commits, tags and publishes nothing.

  --dry-run  checks the version and builds the tarballs, and changes no file of the repository`);

const ROOT = join(import.meta.dirname, '../..');
const isDryRun = process.argv.includes('--dry-run');
if (!isDryRun && execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0) {
  throw new Error('The repository has changes that are not committed. Commit them, then release.');
}

installReleaseTools();
const changesets = await readChangesets();
const current = describeInterface();
const version = await chooseVersion();
if (!isDryRun) writeRelease();
await buildPackages();
console.log(`Tarballs: ${OUT}`);
if (!isDryRun) {
  console.log(`Read CHANGELOG.md. Then:
  git add --all && git commit -m "build: release ${version}"
  git tag v${version} && git push --follow-tags origin main v${version}
The tag starts .github/workflows/release.yml, which publishes the packages.`);
}

async function readChangesets() {
  const tool = await importTool('@changesets/read/dist/index.mjs');
  return await (tool['readChangesets'] as (root: string) => Promise<Changeset[]>)(ROOT);
}

/** @throws {Error} if the changesets ask for too small a version */
async function chooseVersion(): Promise<string> {
  const { version } = readPackageJson('packages/elements');
  const last = readBaseline();
  if (!last) {
    console.log(`${version} is the first release: there is nothing to compare it with.`);
    return version;
  }
  const { level, breaking, features } = await compareInterfaces(last, current);
  for (const line of [...breaking, ...features]) console.log(`  ${line}`);
  const bump = largestBump(changesets.flatMap(({ releases }) => releases.map(({ type }) => type)));
  requireLargeEnough(bump ?? 'patch', version, level);
  if (!bump && isDryRun && level === 'none') {
    console.log(`Nothing has changed since ${version}.`);
    return version;
  }
  if (!bump && !isDryRun)
    throw new Error('There is no changeset: describe the release with `npm run changeset`.');
  const next = nextVersion(version, bump ?? 'patch');
  console.log(`Next version: ${next}.`);
  return next;
}

function writeRelease() {
  setVersion(ROOT, version);
  const bumpOf = ({ releases }: Changeset) => largestBump(releases.map(({ type }) => type));
  if (changesets.length) {
    addToChangelog(join(ROOT, 'CHANGELOG.md'), describeRelease(version, changesets, bumpOf));
  }
  writeBaseline(current);
  for (const { id } of changesets) rmSync(join(ROOT, '.changeset', `${id}.md`));
}
