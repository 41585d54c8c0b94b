import { cpSync, existsSync, globSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_FOLDER } from './react-package.ts';
import { readPackageJson } from './workspace.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Placeholder for the address of the repository: packages/publish/README.md. */
const REPOSITORY = 'https://github.com/example/connect-embed';

/** The conditions of an export; `react-server` is the one of React Server Components. */
interface Conditions {
  types: string;
  'react-server'?: string;
  default: string;
}

type Exports = Record<string, string | Conditions>;

/** A package that is built from a workspace. */
export interface PublishedPackage {
  /** The folder of the workspace. */
  source: string;
  readme: string;
  /** Keywords of this package, besides those of all packages. */
  keywords: string[];
  /** The `exports` field; by default every module is exported. */
  exports?: Exports;
  /** Ending of the exported paths, if every module is exported. */
  suffix?: string;
  /** More fields of `package.json`. */
  fields?: object;
  /** Adds files to the compiled ones. */
  complete?: (folder: string) => void | Promise<void>;
}

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

/** Writes `package.json`, and copies the README and the license. */
export function writePackageJson(published: PublishedPackage, folder: string): void {
  const workspacePackage: Record<string, unknown> = readPackageJson(published.source);
  const copied = Object.fromEntries(
    COPIED_FIELDS.filter((key) => key in workspacePackage).map((key) => [
      key,
      workspacePackage[key],
    ]),
  );
  const { keywords, fields, readme } = published;
  const exports = published.exports ?? exportEveryModule(folder, published.suffix ?? '');
  const main = exports['.'];
  const json = {
    ...copied,
    keywords: ['donations', 'fundraising', 'nonprofit', ...keywords],
    homepage: `${REPOSITORY}#readme`,
    bugs: { url: `${REPOSITORY}/issues` },
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: published.source },
    engines: { node: '>=20.19' },
    ...fields,
    ...(typeof main === 'object' && { types: main.types }),
    exports: { ...exports, './package.json': './package.json' },
    files: ['**/*'],
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(json, null, 2)}\n`);
  for (const file of ['LICENSE', 'THIRD-PARTY-LICENSES.md'])
    cpSync(join(ROOT, file), join(folder, file));
  cpSync(join(ROOT, 'packages/publish/readmes', readme), join(folder, 'README.md'));
}

/** Exports every public module in the folder and its subfolders `define/` and `types/`. */
function exportEveryModule(folder: string, suffix: string): Exports {
  const exports: Exports = {};
  for (const file of globSync('{,define/,types/}*.js', { cwd: folder }).sort()) {
    const path = file.slice(0, -'.js'.length);
    if (path.endsWith('.styles') || path === 'types/elements') continue;
    const exportPath =
      path === 'index' ? '.' : `./${path}${path.startsWith('types/') ? '' : suffix}`;
    const isClientOnly = existsSync(join(folder, CLIENT_FOLDER, file));
    exports[exportPath] = {
      types: `./${path}.d.ts`,
      ...(isClientOnly && { 'react-server': `./${CLIENT_FOLDER}/${file}` }),
      default: `./${path}.js`,
    };
  }
  for (const file of readdirSync(folder)
    .filter((item) => item.endsWith('.json'))
    .sort()) {
    exports[`./${file}`] = `./${file}`;
  }
  return exports;
}
