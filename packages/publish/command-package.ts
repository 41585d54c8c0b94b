import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bundleScript, SCRIPT_NAMES } from '../sandbox/src/routes/bundle-script.ts';
import { readPackageJson } from './workspace.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The workspaces that are compiled into the command's package, in the folders that they have here. */
const WORKSPACES = {
  api: 'packages/api',
  dashboard: 'packages/dashboard',
  demo: 'demo',
  'donor-pages': 'packages/donor-pages',
  sandbox: 'packages/sandbox',
} as const;

/** Files that the services read, besides their compiled modules. */
const FILES = [
  'demo/pages/**/*.*',
  'docs/*.md',
  'docs/api/*.md',
  'docs/organizations/**/*.*',
  'docs/site-builders/*.*',
  'integrations/wordpress/LICENSE',
  'integrations/wordpress/connect-embed/**/*.*',
  'packages/{api,dashboard,donor-pages}/src/**/*.{css,js,sql}',
  'packages/donor-pages/src/giving-page/fonts/*.*',
  'packages/elements/dist/*.js',
  'packages/sandbox/src/**/*.css',
];

const SWAGGER_UI = 'node_modules/swagger-ui-dist';
/** What the API serves, with its licenses, without the builds for other uses and without source maps. */
const SWAGGER_UI_FILES = [
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js{,.LICENSE.txt}',
  'swagger-ui.css',
];

/** Where the API looks for Swagger UI. */
const SWAGGER_UI_FOLDER = 'packages/api/src/openapi/swagger-ui';

/**
 * Returns the dependencies of the command and of the workspaces in its package. The sandbox's bundler is
 * not among them, because the package contains the bundled scripts.
 */
export function commandDependencies(): Record<string, string> {
  const isIncluded = (name: string) =>
    name !== 'rolldown' &&
    !Object.keys(WORKSPACES).some((workspace) => name === `@connect-embed/${workspace}`);
  const all = ['packages/cli', ...Object.values(WORKSPACES)].flatMap((folder) =>
    Object.entries(readPackageJson(folder).dependencies ?? {}),
  );
  return Object.fromEntries(all.filter(([name]) => isIncluded(name)).sort());
}

/** Adds the files that the compiled services read, and the program that npm links. */
export async function completeCommand(folder: string): Promise<void> {
  for (const file of globSync(FILES, { cwd: ROOT })) copy(file, join(folder, file));
  for (const file of globSync(SWAGGER_UI_FILES, { cwd: join(ROOT, SWAGGER_UI) })) {
    copy(join(SWAGGER_UI, file), join(folder, SWAGGER_UI_FOLDER, file));
  }
  writeVersion(SWAGGER_UI, join(folder, SWAGGER_UI_FOLDER));
  for (const workspace of ['packages/api', 'packages/cli']) {
    writeVersion(workspace, join(folder, workspace));
  }
  for (const name of SCRIPT_NAMES) {
    const file = join(folder, 'packages/sandbox/src/browser', `${name}.js`);
    writeFileSync(file, await bundleScript(name));
  }
  copy('packages/publish/bin/connect-embed.js', join(folder, 'bin/connect-embed.js'));
  for (const file of globSync('packages/{api,cli,dashboard,donor-pages}/src/**/*.js', {
    cwd: folder,
  })) {
    importByPath(folder, file);
  }
}

/** Writes a `package.json` with all that Node and the services read of it. */
function writeVersion(source: string, folder: string) {
  const { version } = readPackageJson(source);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`);
}

function copy(source: string, target: string) {
  if (existsSync(target)) throw new Error(`${source} is also the name of a compiled module.`);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(ROOT, source), target);
}

/** Replaces the names of the workspaces in imports with paths, because they are no packages here. */
function importByPath(folder: string, file: string) {
  const text = readFileSync(join(folder, file), 'utf8');
  const rewritten = text.replace(
    /'@connect-embed\/(api|dashboard|demo|donor-pages|sandbox)(\/[\w./-]+)?'/g,
    (_, workspace: keyof typeof WORKSPACES, module = '') => {
      const { exports = {} } = readPackageJson(WORKSPACES[workspace]);
      // `./*` is all of `src`.
      const target = exports[`.${module}`] ?? exports['./*']?.replace('/*', module) ?? '';
      const path = join(WORKSPACES[workspace], target).replace(/\.ts$/, '.js');
      if (!target || !existsSync(join(folder, path))) {
        throw new Error(`packages/publish/tsconfig.command.json lacks ${workspace}${module}.`);
      }
      const relativePath = relative(dirname(file), path);
      return `'${relativePath.startsWith('.') ? relativePath : `./${relativePath}`}'`;
    },
  );
  writeFileSync(join(folder, file), rewritten);
}
