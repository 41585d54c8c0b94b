import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeOnExit } from './child-cleanup.ts';
import { COMPILE_CACHE } from './service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** The organization's account at the processor. */
export const ACCOUNT = 'acct_faults';
/** Seals what the API keeps; the same over every kill. */
export const API_SECRET = 'a secret that outlives every kill of these tests';

/** Data to begin with: tables, one organization, and its keys. Each world has a copy of its own. */
export interface DataTemplate {
  organizationId: string;
  /** Of the backend-for-frontend. */
  serverKey: string;
  /** Of the one who compares the books. */
  auditorKey: string;
  copy(): Promise<string>;
}

/** Made once, as an operator makes it: by command. */
export async function createTemplate(): Promise<DataTemplate> {
  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'connect-faults-'));
    await chmod(path, 0o711); // As root, PostgreSQL runs as another user, who must get in.
    removeOnExit(path);
    return path;
  };
  await compile();
  const templateFolder = await folder();
  const { id } = await command(templateFolder, [
    ...['organizations', 'create', '--json', '--name', 'Faults', '--slug', 'faults'],
    ...['--account', ACCOUNT],
  ]);
  const serverKey = await createKey(templateFolder);
  const auditorKey = await createKey(templateFolder);
  return {
    organizationId: id!,
    serverKey,
    auditorKey,
    async copy() {
      const copy = await folder();
      await run('cp', ['-a', `${templateFolder}/.`, copy]); // Owners too: PostgreSQL insists on its own.
      return copy;
    },
  };
}

/** As the image does when it is built: whoever is killed keeps nothing of what it compiled. */
async function compile(): Promise<void> {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  for (const service of ['packages/api/src', 'packages/sandbox/src', 'server']) {
    await run(process.execPath, [`${service}/main.ts`, '--help'], { cwd: ROOT, env });
  }
}

/** @param location a data folder, or the address of a database */
export async function createKey(location: string): Promise<string> {
  const args = ['keys', 'create', '--json', '--name', 'faults', '--scopes', 'all'];
  return (await command(location, args))['key']!;
}

async function command(place: string, args: string[]): Promise<Record<string, string>> {
  const where = place.startsWith('postgres') ? { DATABASE_URL: place } : { DATA_DIR: place };
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, API_SECRET, ...where };
  const cli = 'packages/api/src/cli.ts';
  const { stdout } = await run(process.execPath, [cli, ...args], { cwd: ROOT, env });
  return JSON.parse(stdout) as Record<string, string>;
}
