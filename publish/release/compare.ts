import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../manifest.ts';
import { importTool } from './tools.ts';
import type { ChangeLevel } from './version.ts';

/** Public interface of the last release. In the tree, because a shallow clone has no tags. */
const BASELINE = join(import.meta.dirname, 'baseline');

type Changes = Record<string, string[]>;
interface Comparison {
  changelog: { breakingChanges: Changes; featureChanges: Changes };
}

/**
 * Compares the manifest of the elements with that of the last release.
 *
 * @returns undefined before the first release
 */
export async function compareWithLastRelease() {
  const file = join(BASELINE, 'custom-elements.json');
  if (!existsSync(file)) return undefined;
  return compareManifests(JSON.parse(readFileSync(file, 'utf8')), readManifest());
}

/** Compares two manifests. */
export async function compareManifests(before: unknown, after: unknown) {
  const { CemChangelog } = await importTool('@wc-toolkit/changelog/dist/index.js');
  const comparison = new (
    CemChangelog as new () => {
      compareManifests: (before: unknown, after: unknown) => Comparison;
    }
  )();
  const { breakingChanges, featureChanges } = comparison.compareManifests(before, after).changelog;
  const lines = (changes: Changes) =>
    Object.entries(changes).flatMap(([name, texts]) => texts.map((text) => `${name}: ${text}`));
  const [breaking, features] = [lines(breakingChanges), lines(featureChanges)];
  const level: ChangeLevel = breaking.length ? 'breaking' : features.length ? 'feature' : 'none';
  return { level, breaking, features };
}
