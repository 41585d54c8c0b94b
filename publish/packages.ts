import { execFile } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeEditorData } from './editor-data.ts';
import { frameworkTypes } from './framework-types.ts';
import { addMessages } from './messages.ts';
import { readManifest } from './manifest.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** Output folder of the packages. */
export const OUT = join(ROOT, 'dist/packages');

/** The packages, each after the packages that it depends on. */
export const PACKAGES = ['contract', 'elements', 'react'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Fields of the workspace's `package.json` that are copied; the others are for the workspace only. */
const COPIED_FIELDS = [
  'name',
  'version',
  'description',
  'type',
  'license',
  'sideEffects',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
] as const;

/**
 * Fields that only the published `package.json` has. Within the workspace every module may have
 * side effects.
 */
const REGISTRY_FIELDS: Partial<Record<PackageName, object>> = {
  elements: {
    customElements: 'custom-elements.json',
    sideEffects: ['./define.js', './define/*.js'],
  },
};

type Exports = Record<string, string | { types: string; default: string }>;

/** Builds every package into its folder below `dist/packages`, and its tarball. */
export async function buildPackages(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  for (const name of PACKAGES) {
    await run('node', ['node_modules/typescript7/bin/tsc', '-p', `publish/tsconfig.${name}.json`], {
      cwd: ROOT,
    });
    if (name === 'elements') await addElementsExtras(join(OUT, name));
    rewriteDeclarationImports(join(OUT, name));
    writePackageJson(name);
    await run('npm', ['pack', '--pack-destination', OUT], { cwd: join(OUT, name) });
  }
}

/**
 * Replaces `.ts` in the imports of declaration files, which the compiler leaves there; the package
 * has no `.ts` files.
 */
function rewriteDeclarationImports(folder: string) {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const named = text.replace(/((?:from|import) ?\(?'\.[^']+)(?<!\.d)\.ts'/g, "$1.js'");
    writeFileSync(join(folder, file), named);
  }
}

async function addElementsExtras(folder: string) {
  const manifest = readManifest();
  cpSync(
    join(ROOT, 'packages/elements/custom-elements.json'),
    join(folder, 'custom-elements.json'),
  );
  addMessages(folder);
  skipOnServer(join(folder, 'shared/define-once.js'));
  // Importing `define.js` also loads the types of the tags.
  writeFileSync(join(folder, 'define.d.ts'), `import './index.js';\nexport {};\n`);
  await writeEditorData(manifest, folder);
  cpSync(join(ROOT, 'publish/types'), join(folder, 'types'), { recursive: true });
  writeFileSync(join(folder, 'types/elements.d.ts'), frameworkTypes(manifest));
  for (const file of globSync('types/*.d.ts', { cwd: folder })) {
    // An empty module, so that a plain import of the types also resolves at run time.
    writeFileSync(join(folder, file.replace('.d.ts', '.js')), 'export {};\n');
  }
}

/**
 * Adds the check for `customElements`, which servers lack. The browser bundle goes without it to
 * save bytes.
 */
function skipOnServer(file: string) {
  const text = readFileSync(file, 'utf8');
  const opening = /(function define\(elements\) \{)/;
  if (!opening.test(text)) throw new Error(`${file} defines in another way.`);
  writeFileSync(file, text.replace(opening, '$1\n    if (!globalThis.customElements) return;'));
}

/** Writes `package.json`, and copies the README and the license. */
function writePackageJson(name: PackageName) {
  const folder = join(OUT, name);
  const workspacePackage = JSON.parse(
    readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const json = {
    ...Object.fromEntries(
      COPIED_FIELDS.filter((key) => key in workspacePackage).map((key) => [
        key,
        workspacePackage[key],
      ]),
    ),
    ...REGISTRY_FIELDS[name],
    publishConfig: { access: 'public' },
    exports: exportsOf(name),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(json, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, `publish/readmes/${name}.md`), join(folder, 'README.md'));
}

/** The `exports` field: every public module in the folder and its subfolders `define/` and `types/`. */
function exportsOf(name: PackageName): Exports {
  const folder = join(OUT, name);
  const suffix = name === 'contract' ? '' : '.js';
  const exports: Exports = {};
  for (const file of globSync('{,define/,types/}*.js', { cwd: folder }).sort()) {
    const path = file.slice(0, -'.js'.length);
    if (path.endsWith('.styles') || path === 'types/elements') continue;
    const exportPath =
      path === 'index' ? '.' : `./${path}${path.startsWith('types/') ? '' : suffix}`;
    exports[exportPath] = { types: `./${path}.d.ts`, default: `./${path}.js` };
  }
  for (const file of readdirSync(folder)
    .filter((item) => item.endsWith('.json'))
    .sort()) {
    exports[`./${file}`] = `./${file}`;
  }
  return { ...exports, './package.json': './package.json' };
}
