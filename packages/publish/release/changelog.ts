import type { Bump } from './version.ts';

export interface Changeset {
  /** Name of its file below `.changeset`, without `.md`. */
  id: string;
  /** The text for readers, in Markdown. */
  summary: string;
  releases: { type: Bump }[];
}

/** The parts of an entry, by the bump that changesets ask for. */
const PARTS: readonly (readonly [bump: Bump, title: string])[] = [
  ['major', 'Breaking changes'],
  ['minor', 'New and changed'],
  ['patch', 'Fixed and improved'],
];

/** Describes a release, with a list item for each changeset: one entry for all packages. */
export function describeChanges(
  changesets: readonly Changeset[],
  bumpOf: (changeset: Changeset) => Bump | undefined,
): string {
  const parts = PARTS.flatMap(([bump, title]) => {
    const items = changesets.filter((changeset) => bumpOf(changeset) === bump);
    return items.length ? [`### ${title}\n\n${items.map(toListItem).join('\n')}`] : [];
  });
  return parts.join('\n\n');
}

const toListItem = ({ summary }: Changeset) => `- ${summary.trim().replaceAll(/\n(?=.)/g, '\n  ')}`;

/**
 * Adds changes to the entry of a version, which becomes the first if there is none yet.
 *
 * @param changelog text of CHANGELOG.md
 * @returns the new text
 */
export function addToChangelog(changelog: string, version: string, changes: string): string {
  const heading = `## ${version}\n`;
  const [title = '', ...entries] = changelog.split(/^(?=## )/m);
  if (!entries.some((entry) => entry.startsWith(heading))) entries.unshift(heading);
  const changed = entries.map((entry) =>
    entry.startsWith(heading) ? `${entry.trimEnd()}\n\n${changes}` : entry,
  );
  return `${[title, ...changed].map((part) => part.trim()).join('\n\n')}\n`;
}
