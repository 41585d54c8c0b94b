import type { PublicInterface } from './baseline.ts';
import { compareDocuments } from './compare-documents.ts';
import { compareDeclarations } from './declarations.ts';
import { importTool } from './tools.ts';
import type { ChangeLevel } from './version.ts';

type Changes = Record<string, string[]>;
interface Comparison {
  changelog: { breakingChanges: Changes; featureChanges: Changes };
}

/**
 * Compares the public interface of two releases: the elements' manifest, the OpenAPI document and the
 * client's declarations.
 */
export async function compareInterfaces(last: PublicInterface, next: PublicInterface) {
  // The tools change what they compare.
  const [before, after] = structuredClone([last, next]) as [PublicInterface, PublicInterface];
  const parts = [
    await compareManifests(before.manifest, after.manifest),
    await compareDocuments(before.document, after.document),
    compareDeclarations(before.declarations, after.declarations),
  ];
  const breaking = parts.flatMap((part) => part.breaking);
  const features = parts.flatMap((part) => part.features);
  const level: ChangeLevel = breaking.length ? 'breaking' : features.length ? 'feature' : 'none';
  return { level, breaking, features };
}

async function compareManifests(before: unknown, after: unknown) {
  const { CemChangelog } = await importTool('@wc-toolkit/changelog/dist/index.js');
  const comparison = new (
    CemChangelog as new () => {
      compareManifests: (before: unknown, after: unknown) => Comparison;
    }
  )();
  const { breakingChanges, featureChanges } = comparison.compareManifests(before, after).changelog;
  const lines = (changes: Changes) =>
    Object.entries(changes).flatMap(([name, texts]) => texts.map((text) => `${name}: ${text}`));
  return { breaking: lines(breakingChanges), features: lines(featureChanges) };
}
