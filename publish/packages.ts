import { execFile } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeEditorData } from './editor-data.ts';
import { frameworkTypes } from './framework-types.ts';
import { readManifest } from './manifest.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** Where packages stand as they go to the registry. */
export const OUT = join(ROOT, 'dist/packages');

/** In the order in which they need each other. */
export const PACKAGES = ['contract', 'elements', 'react'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** What a room says of its package; the rest of its `package.json` is for the workspace. */
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

/** What only the package says. In the rooms everything may be imported for what it does. */
const REGISTRY_FIELDS: Partial<Record<PackageName, object>> = {
  elements: {
    customElements: 'custom-elements.json',
    sideEffects: ['./define.js', './define/*.js'],
  },
};

type Exports = Record<string, string | { types: string; default: string }>;

/** Builds every package into a folder of its own under `dist/packages`, and a tarball of it. */
export async function buildPackages(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  for (const name of PACKAGES) {
    await run('node', ['node_modules/typescript7/bin/tsc', '-p', `publish/tsconfig.${name}.json`], {
      cwd: ROOT,
    });
    if (name === 'elements') await addElementsExtras(join(OUT, name));
    rewriteDeclarationImports(join(OUT, name));
    describe(name);
    await run('npm', ['pack', '--pack-destination', OUT], { cwd: join(OUT, name) });
  }
}

/** The compiler leaves `.ts` in the imports of declarations, which the package does not have. */
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
  writeFileSync(join(folder, 'internal/locale-file.js'), localeFile(folder));
  skipOnServer(join(folder, 'internal/define-once.js'));
  // Who registers the tags has their types.
  writeFileSync(join(folder, 'define.d.ts'), `import './index.js';\nexport {};\n`);
  await writeEditorData(manifest, folder);
  cpSync(join(ROOT, 'publish/types'), join(folder, 'types'), { recursive: true });
  writeFileSync(join(folder, 'types/elements.d.ts'), frameworkTypes(manifest));
  for (const file of globSync('types/*.d.ts', { cwd: folder })) {
    // So that a plain import of types finds a module when it runs, too.
    writeFileSync(join(folder, file.replace('.d.ts', '.js')), 'export {};\n');
  }
}

/** Tags are registered in browsers; a page's script, which is weighed, does without the question. */
function skipOnServer(file: string) {
  const text = readFileSync(file, 'utf8');
  const opening = /(function define\(elements\) \{)/;
  if (!opening.test(text)) throw new Error(`${file} defines in another way.`);
  writeFileSync(file, text.replace(opening, '$1\n    if (!globalThis.customElements) return;'));
}

/** Languages by their names, each an import that every bundler can read. */
function localeFile(folder: string): string {
  const files = globSync('locales/*/*.js', { cwd: folder }).sort();
  const lines = files.map((file) => {
    const [, family, language] = /locales\/(\w+)\/(\w+)\.js/.exec(file)!;
    return `  '${family}/${language}': () => import('../${file}'),`;
  });
  return `const FILES = {
${lines.join('\n')}
};

/** One language of one family. */
export const importLocale = (family, language) => FILES[\`\${family}/\${language}\`]();
`;
}

/** Writes `package.json`, and brings the README and the licence. */
function describe(name: PackageName) {
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

/** Every module that is there to be imported: those of the folder itself, and of the named ones. */
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
