/** `npm run release` prepares the next release: docs/decisions/0106-releases.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitOnHelpOption } from '../../../test/support/help-option.ts';
import { buildPackages, OUT } from '../packages.ts';
import { readPackageJson } from '../workspace.ts';
import { describeInterface, readBaseline, writeBaseline } from './baseline.ts';
import { addToChangelog, describeChanges, type Changeset } from './changelog.ts';
import { compareInterfaces } from './compare.ts';
import { pinDigests } from './pin-digests.ts';
import { setVersion } from './set-version.ts';
import { importTool, installReleaseTools } from './tools.ts';
import {
  largestBump,
  nextVersion,
  ReleaseError,
  requireLargeEnough,
  type Bump,
} from './version.ts';

exitOnHelpOption(`Prepares the next release from the changesets: checks that its version is large enough for
the changes of the elements' manifest, the OpenAPI document and the client's declarations, writes the digests of container images and actions, sets the version, writes CHANGELOG.md and
packages/publish/release/baseline, deletes the changesets, and builds the tarballs. Commits, tags and publishes nothing.

  --dry-run  checks the version and builds the tarballs, and changes no file of the repository`);

const ROOT = join(import.meta.dirname, '../../..');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const isDryRun = process.argv.includes('--dry-run');
process.once('uncaughtException', (error) => {
  console.error(error instanceof ReleaseError ? error.message : error);
  process.exit(1);
});
if (!isDryRun && execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0) {
  throw new ReleaseError(
    'The repository has changes that are not committed. Commit them, then release.',
  );
}

installReleaseTools();
const changesets = await readChangesets();
const bumpOf = ({ releases }: Changeset) => largestBump(releases.map(({ type }) => type));
const current = describeInterface();
/** The version of the last release. */
const { version: last } = readPackageJson('packages/elements');
const version = await chooseVersion();
execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
if (!isDryRun) writeRelease();
await buildPackages();
console.log(`Tarballs: ${OUT}`);
if (!isDryRun) {
  console.log(`Read CHANGELOG.md. Then:
  git add --all && git commit -m "build: release ${version}"
  git tag v${version} && git push origin main v${version}
The tag starts .github/workflows/release.yml, which publishes the packages.`);
}

async function readChangesets() {
  const tool = await importTool('@changesets/read/dist/index.mjs');
  return await (tool['readChangesets'] as (root: string) => Promise<Changeset[]>)(ROOT);
}

/** @throws {ReleaseError} if the changesets ask for too small a version, or a release has none */
async function chooseVersion(): Promise<string> {
  const baseline = readBaseline();
  if (!baseline) {
    console.log(`${last} is the first release: there is nothing to compare it with.`);
    return last;
  }
  const { level, breaking, features } = await compareInterfaces(baseline, current);
  for (const line of [...breaking, ...features]) console.log(`  ${line}`);
  const bump = largestBump(changesets.map(bumpOf).filter((each): each is Bump => !!each));
  requireLargeEnough(bump ?? 'patch', last, level);
  if (!bump && !isDryRun) {
    throw new ReleaseError('There is no changeset: describe the release with `npm run changeset`.');
  }
  const next = bump ? nextVersion(last, bump) : last;
  console.log(bump ? `Next version: ${next}.` : `No changeset asks for a release after ${last}.`);
  return next;
}

function writeRelease() {
  pinDigests(ROOT);
  setVersion(ROOT, last, version);
  const changelog = readFileSync(CHANGELOG, 'utf8');
  writeFileSync(CHANGELOG, addToChangelog(changelog, version, describeChanges(changesets, bumpOf)));
  writeBaseline(current);
  for (const { id } of changesets) rmSync(join(ROOT, '.changeset', `${id}.md`));
}
