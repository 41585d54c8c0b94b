import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { LANGUAGES } from '@connect-embed/locales';
import { ROOT } from './pages.ts';

/** The figures of the front page, each read from what a script or a test has written. */
export interface Figures {
  /** Faults of the last long run of the fault tests: docs/faults.md */
  faults: number;
  /** Donations during those faults. */
  donations: number;
  chargedTwice: number;
  lost: number;
  /** Bytes of script, compressed with brotli, until a form is drawn. */
  scriptBytes: number;
  /** View states that are checked with axe: the stories of the workshop. */
  viewStates: number;
  /** Codes of the languages, which the playground offers, too. */
  languages: readonly string[];
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** @throws {Error} if docs/faults.md has no result line, or the elements are not built */
export function readFigures(): Figures {
  const result =
    /(\d+) faults during (\d+) donations.* (\d+) donors charged twice, (\d+) donations lost/.exec(
      read('docs/faults.md'),
    );
  if (!result) throw new Error('docs/faults.md has no line with its result.');
  const [faults, donations, chargedTwice, lost] = result.slice(1).map(Number);
  return {
    faults: faults!,
    donations: donations!,
    chargedTwice: chargedTwice!,
    lost: lost!,
    scriptBytes: countScriptBytes(),
    viewStates: countStories(),
    languages: LANGUAGES,
  };
}

function countScriptBytes(): number {
  const dist = 'packages/elements/dist';
  const manifest = JSON.parse(read(`${dist}/manifest.json`)) as Record<
    'loader' | 'base' | 'donate',
    string
  >;
  const sizes = [manifest.loader, manifest.base, manifest.donate].map(
    (file) => brotliCompressSync(read(`${dist}/${file}`)).length,
  );
  return sizes.reduce((sum, size) => sum + size);
}

const countStories = () =>
  globSync('packages/workshop/stories/*.stories.ts', { cwd: ROOT }).flatMap(
    (file) => read(file).match(/^export const /gm) ?? [],
  ).length;
