import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Joins a browser script and its imports into one classic script, without a bundler as a
 * dependency.
 *
 * Types are replaced by spaces, `import` and `export` are removed, and all files share one function
 * scope. Therefore their top-level names must differ, and import cycles are not supported.
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

/**
 * Suppresses Node's warning that the function is experimental, which would confuse people who start
 * the demo.
 */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    if (emitWarning) Object.defineProperty(process, 'emitWarning', emitWarning);
  }
}
