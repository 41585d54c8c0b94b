import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Matches imports that load a module, static or dynamic, but not type imports. */
const IMPORT =
  /^import (?!type\b)[^;]*?'(\.[^']+)';|^export [^;]*? from '(\.[^']+)';|import\('(\.[^']+)'\)/gm;

/**
 * Finds all source files that an element can run, its own first, by following imports.
 *
 * Files of other elements are not followed.
 *
 * @param folder folder of the sources
 * @param isOurs whether to include a file, by its path
 * @param tag file name without extension
 * @returns source text by path
 */
export function sourcesOf(
  folder: string,
  tag: string,
  isOurs: (path: string) => boolean = () => true,
): Map<string, string> {
  const sources = new Map<string, string>();
  const visit = (path: string) => {
    if (sources.has(path) || !existsSync(path) || !isOurs(path)) return;
    const text = readFileSync(path, 'utf8');
    if (sources.size > 0 && / \* @tag /.test(text)) return;
    sources.set(path, text);
    for (const [, ...targets] of text.matchAll(IMPORT)) {
      visit(join(dirname(path), targets.find(Boolean)!));
    }
  };
  visit(join(folder, `${tag}.ts`));
  return sources;
}
