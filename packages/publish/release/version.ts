/** Which version a release gets (docs/decisions/0106-releases.md). */

export type Bump = 'patch' | 'minor' | 'major';
export type ChangeLevel = 'none' | 'feature' | 'breaking';

const ORDER: readonly Bump[] = ['patch', 'minor', 'major'];

/** The largest bump, because all packages share one version; undefined if there is none. */
export const largestBump = (bumps: readonly Bump[]): Bump | undefined =>
  ORDER.findLast((bump) => bumps.includes(bump));

/**
 * The smallest bump for a change of the public interface. In `0.x` a breaking change is a minor version,
 * and everything else is a patch (semver.org: item 4).
 */
export function requiredBump(version: string, level: ChangeLevel): Bump {
  const isUnstable = version.startsWith('0.');
  if (level === 'breaking') return isUnstable ? 'minor' : 'major';
  return level === 'feature' && !isUnstable ? 'minor' : 'patch';
}

/** The version after a bump: `nextVersion('0.1.0', 'minor')` is `0.2.0`. */
export function nextVersion(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** A release that is refused. Its message says why, in a sentence. */
export class ReleaseError extends Error {}

/** @throws {ReleaseError} if the changesets ask for a smaller bump than the public interface needs */
export function requireLargeEnough(bump: Bump, version: string, level: ChangeLevel): void {
  const required = requiredBump(version, level);
  if (ORDER.indexOf(bump) >= ORDER.indexOf(required)) return;
  throw new ReleaseError(
    `The public interface has a ${level} change, which after ${version} needs a ${required} version. ` +
      `The changesets ask for ${bump}.`,
  );
}
