import { execFileSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findTag } from '@connect-embed/api/test-support/processes/previous-release';
import { OUT } from '../packages.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The packages and the scripts of a release, as folders. */
export interface Release {
  name: string;
  packages: string;
  scripts: string;
  /** Deletes what was built for the test. */
  remove: () => void;
}

export const THIS_RELEASE: Release = {
  name: 'this release',
  packages: OUT,
  scripts: join(ROOT, 'packages/elements/dist'),
  remove: () => {},
};

/**
 * Builds the packages of the last release from its tag in a temporary folder, with the npm packages that
 * are installed here. Returns undefined before the first release.
 */
export function buildLastRelease(): Release | undefined {
  const tag = findTag();
  if (!tag) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'connect-release-'));
  const archive = execFileSync('git', ['archive', tag], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkModules(folder);
  for (const args of [['node_modules/vite/bin/vite.js', 'build'], ['packages/publish/main.ts']]) {
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return {
    name: tag,
    packages: join(folder, 'dist/packages'),
    scripts: join(folder, 'packages/elements/dist'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Links the npm packages that are installed here, and the workspaces of the release. */
function linkModules(folder: string): void {
  const link = (from: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  };
  for (const modules of globSync('{.,packages/*,publish,test}/node_modules', { cwd: ROOT })) {
    for (const name of readdirSync(join(ROOT, modules))) {
      if (name !== '@connect-embed') link(join(ROOT, modules, name), join(folder, modules, name));
    }
  }
  for (const file of globSync('{packages/*,*}/package.json', { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string };
    if (name.startsWith('@connect-embed/'))
      link(join(folder, dirname(file)), join(folder, 'node_modules', name));
  }
}
