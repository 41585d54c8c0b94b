import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Bump } from './version.ts';

export interface Changeset {
  /** Name of its file below `.changeset`, without `.md`. */
  id: string;
  /** The text for readers, in Markdown. */
  summary: string;
  releases: { type: Bump }[];
}

const TITLE = '# Changelog\n';

/** The parts of an entry, by the bump that changesets ask for. */
const PARTS: readonly (readonly [bump: Bump, title: string])[] = [
  ['major', 'Breaking changes'],
  ['minor', 'New and changed'],
  ['patch', 'Fixed and improved'],
];

/** Writes the entry of a release, with a list item for each changeset: one entry for all packages. */
export function describeRelease(
  version: string,
  changesets: readonly Changeset[],
  bumpOf: (changeset: Changeset) => Bump | undefined,
): string {
  const parts = PARTS.map(([bump, title]) => {
    const items = changesets.filter((changeset) => bumpOf(changeset) === bump);
    return items.length ? `\n### ${title}\n\n${items.map(toListItem).join('\n')}\n` : '';
  });
  return `## ${version}\n${parts.join('')}`;
}

const toListItem = ({ summary }: Changeset) => `- ${summary.trim().replaceAll(/\n(?=.)/g, '\n  ')}`;

/** Puts an entry above those of earlier releases. */
export function addToChangelog(file: string, entry: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : TITLE;
  const first = text.search(/^## /m);
  const [head, rest] = first < 0 ? [text, ''] : [text.slice(0, first), text.slice(first)];
  writeFileSync(
    file,
    [head.trimEnd(), entry.trimEnd(), rest.trimEnd()].filter(Boolean).join('\n\n') + '\n',
  );
}
