import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** The workspace packages that the API needs to run, with its pages, and their folders. */
const PACKAGES = {
  api: 'packages/api',
  contract: 'packages/contract',
  dashboard: 'packages/dashboard',
  'donor-pages': 'packages/donor-pages',
  locales: 'packages/locales',
};

/** All folders that the API needs to run. */
const SOURCES = [
  'package.json',
  'packages/cli',
  ...Object.values(PACKAGES),
  'docs/api',
  'docs/site-builders',
  'integrations/wordpress',
];

interface Release {
  /** The release's tag; undefined if there has been no release. */
  tag: string | undefined;
  /** The release's `main.ts` of the API. */
  main: string;
  remove: () => void;
}

/**
 * Checks out the API of the newest release that this commit contains, into a temporary folder. It runs
 * with the npm packages that are installed here. Before the first release it is the API of this folder.
 */
export function checkOutPreviousRelease(): Release {
  const tag = findTag();
  if (!tag) return { tag, main: join(ROOT, 'packages/cli/src/service/main.ts'), remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'connect-release-'));
  const options = { cwd: ROOT, maxBuffer: 1e9 };
  const archive = execFileSync('git', ['archive', tag, ...SOURCES], options);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkPackages(folder);
  return {
    tag,
    main: join(folder, 'packages/cli/src/service/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the tag of the newest release that this commit contains; undefined before the first release. */
export function findTag(): string | undefined {
  const list = ['tag', '--list', 'v[0-9]*', '--merged', 'HEAD'];
  try {
    const tags = execFileSync('git', [...list, '--sort=-version:refname'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return tags.split('\n')[0] || undefined;
  } catch {
    return undefined; // The source was not checked out with Git.
  }
}

/** Links the installed npm packages, and the release's own workspace packages. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@connect-embed'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@connect-embed') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const [name, path] of Object.entries(PACKAGES)) {
    symlinkSync(join(folder, path), join(modules, '@connect-embed', name));
  }
  // Versions that differ from those of the root.
  const own = 'packages/api/node_modules';
  symlinkSync(join(ROOT, own), join(folder, own));
}
