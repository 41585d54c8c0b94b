import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file is ours to follow when it is loaded, now or later; one that lends types alone is not. */
const IMPORT =
  /^import (?!type\b)[^;]*?'(\.[^']+)';|^export [^;]*? from '(\.[^']+)';|import\('(\.[^']+)'\)/gm;

/**
 * Everything that an element may run, its own file first.
 *
 * Another element's file is not followed: what stands there is the other one's.
 *
 * @param folder of the sources
 * @param isOurs whether a file counts, by its path
 * @param tag file name without its ending
 * @returns text by path
 */
export function sourcesOf(
  folder: string,
  tag: string,
  isOurs: (path: string) => boolean = () => true,
): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    if (found.has(path) || !existsSync(path) || !isOurs(path)) return;
    const text = readFileSync(path, 'utf8');
    if (found.size > 0 && / \* @tag /.test(text)) return;
    found.set(path, text);
    for (const [, ...targets] of text.matchAll(IMPORT)) {
      visit(join(dirname(path), targets.find(Boolean)!));
    }
  };
  visit(join(folder, `${tag}.ts`));
  return found;
}
