/** `npm run release -- --dry-run` checks the next release: docs/decisions/0106-releases.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitOnHelpOption } from '../../test/support/help-option.ts';
import { buildPackages, OUT } from '../packages.ts';
import { compareWithLastRelease } from './compare.ts';
import { importTool, installReleaseTools } from './tools.ts';
import { largestBump, nextVersion, requireLargeEnough, type Bump } from './version.ts';

exitOnHelpOption('Checks the next version and builds the tarballs. Use it with --dry-run.');
if (!process.argv.includes('--dry-run')) {
  throw new Error('Only --dry-run exists so far. See docs/decisions/0106-releases.md.');
}

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(
  readFileSync(join(ROOT, 'packages/elements/package.json'), 'utf8'),
) as { version: string };

installReleaseTools();
const { readChangesets } = (await importTool('@changesets/read/dist/index.mjs')) as {
  readChangesets: (root: string) => Promise<{ releases: { type: Bump }[] }[]>;
};
const changesets = await readChangesets(ROOT);
const comparison = await compareWithLastRelease();
if (!comparison) {
  console.log(`${version} is the first release: there is nothing to compare it with.`);
} else {
  const bump = largestBump(changesets.flatMap(({ releases }) => releases.map(({ type }) => type)));
  for (const line of [...comparison.breaking, ...comparison.features]) console.log(`  ${line}`);
  if (comparison.level !== 'none' || bump) {
    requireLargeEnough(bump ?? 'patch', version, comparison.level);
    console.log(`Next version: ${nextVersion(version, bump ?? 'patch')}.`);
  }
}
await buildPackages();
console.log(`Tarballs: ${OUT}`);
