import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Joins a browser script and what it imports into one classic script.
 *
 * The files are served as they stand: types become blanks, imports and exports
 * go, and all share one function scope. So their top-level names must differ,
 * and cycles are not allowed. A bundler would be a dependency for ten lines.
 *
 * @param entry path of the file whose code runs last
 */
export function joinScript(entry: string): string {
  const files: string[] = [];
  collectFiles(entry, files, new Set());
  return `(() => {\n'use strict';\n${files.join('\n')}\n})();\n`;
}

const IMPORT = /^import [^;]+? from '(\.[^']+)';$/gm;
const EXPORT = /^export +(?=(?:async )?(?:function|const|class) )/gm;

function collectFiles(file: string, files: string[], seen: Set<string>) {
  if (seen.has(file)) return;
  seen.add(file);
  const code = withoutWarnings(() => stripTypeScriptTypes(readFileSync(file, 'utf8')));
  for (const [, path = ''] of code.matchAll(IMPORT)) {
    collectFiles(join(dirname(file), path), files, seen);
  }
  files.push(code.replaceAll(IMPORT, '').replaceAll(EXPORT, ''));
}

/** Node warns that the function is experimental. Whoever starts the demo need not know. */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    if (emitWarning) Object.defineProperty(process, 'emitWarning', emitWarning);
  }
}
