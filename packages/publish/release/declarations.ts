import { execFileSync, spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
/** The modules of the client that applications import. */
const ENTRIES = ['index', 'webhooks'];

/** The type declarations of the client and of the contract that they import, by path. */
export type Declarations = Record<string, string>;

/** Compiles the declarations of the sources. */
export const emitDeclarations = (): Declarations =>
  inTemporaryFolder((folder) => {
    for (const name of ['client', 'contract']) {
      const output = ['--emitDeclarationOnly', '--outDir', join(folder, name)];
      const args = [TSC, '-p', `packages/publish/tsconfig.${name}.json`, ...output];
      execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    }
    const files = globSync('**/*.d.ts', { cwd: folder }).sort();
    return Object.fromEntries(
      files.map((file) => [file, comparable(file, readFileSync(join(folder, file), 'utf8'))]),
    );
  });

/**
 * Makes two releases of a declaration comparable: classes with private fields are never assignable to
 * each other, and each release imports its own contract.
 */
const comparable = (file: string, text: string): string =>
  text
    .replaceAll(/^\s+#private;\n/gm, '')
    .replaceAll(
      /(["'])@connect-embed\/contract(?:\/([\w-]+))?\1/g,
      (_, quote: string, module = 'index') =>
        `${quote}${posix.relative(posix.dirname(file), `contract/${module}.js`)}${quote}`,
    );

/**
 * Compares the client's declarations of two releases. A change is breaking if a program that compiles
 * with the last release might not compile with the next one.
 */
export function compareDeclarations(
  last: Declarations,
  next: Declarations,
): { breaking: string[]; features: string[] } {
  if (isDeepStrictEqual(last, next)) return { breaking: [], features: [] };
  return inTemporaryFolder((folder) => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [release, files] of Object.entries({ last, next })) {
      for (const [file, text] of Object.entries(files)) {
        const path = join(folder, release, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    return {
      breaking: findErrors(folder, replaceRelease('last', 'next', last)).map(
        (error) => `client: ${error}`,
      ),
      features: findErrors(folder, replaceRelease('next', 'last', next)).map(
        (error) => `client: before this release, ${error}`,
      ),
    };
  });
}

/** A program that uses everything of one release, and gets it from the other. */
const replaceRelease = (from: string, to: string, declarations: Declarations): string =>
  ENTRIES.map((entry) => {
    const names = exportedNames(declarations[`client/${entry}.d.ts`]!);
    const options =
      entry === 'index' &&
      `declare const options: From_${entry}.ConnectOptions;
export const accepted: To_${entry}.ConnectOptions = options;`;
    return `
import type * as From_${entry} from './${from}/client/${entry}.js';
import type * as To_${entry} from './${to}/client/${entry}.js';
export type { ${names.map((name) => `${name} as ${entry}_${name}`).join(', ')} } from './${to}/client/${entry}.js';
declare const ${entry}: typeof To_${entry};
export const ${entry}_used: typeof From_${entry} = ${entry};
${options || ''}`;
  }).join('\n');

/** The names that a module exports: in lists, and with their declarations. */
function exportedNames(declaration: string): string[] {
  const lists = [...declaration.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(',').map((name) => name.trim().split(' ').at(-1)!),
  );
  const declared = [
    ...declaration.matchAll(/^export (?:declare )?(?:const|function|class|interface|type) (\w+)/gm),
  ].map(([, name]) => name!);
  return [...lists, ...declared].filter(Boolean);
}

/** Compiles a program, and returns the message of each error with its most exact explanation. */
function findErrors(folder: string, program: string): string[] {
  writeFileSync(join(folder, 'program.ts'), program);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  const target = ['--target', 'es2022', '--types', 'node', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, [TSC, ...options, ...target, 'program.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout
    .split(/^program\.ts\(\d+,\d+\): error TS\d+: /m)
    .slice(1)
    .map((error) => {
      const explanation = error.trim().split('\n').at(-1)!;
      return explanation.trim().replace(/ in type .*/, '');
    });
}

function inTemporaryFolder<Result>(action: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'connect-declarations-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
