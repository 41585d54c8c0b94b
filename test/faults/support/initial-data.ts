import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeOnExit } from './child-cleanup.ts';
import { COMPILE_CACHE } from './service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** The organization's Stripe account. */
export const ACCOUNT = 'acct_faults';
/** Encryption secret of the API; it must be the same after every restart. */
export const API_SECRET = 'the same secret before and after every restart';

interface OrganizationOptions {
  name: string;
  slug: string;
  account: string;
  currency?: string;
}

/** Its donations are in euros, because SEPA debits are. */
const FAULTS_ORGANIZATION = { name: 'Faults', slug: 'faults', account: ACCOUNT, currency: 'eur' };

/** Initial data: the schema, one organization, and its API keys. Each `SystemUnderTest` gets a copy. */
export interface InitialData {
  organizationId: string;
  /** The BFF's API key. */
  serverKey: string;
  /** API key for comparing donations with payments. */
  auditorKey: string;
  copy(): Promise<string>;
}

/** Creates the data once, with the CLI. */
export async function createInitialData(): Promise<InitialData> {
  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'connect-faults-'));
    await chmod(path, 0o711); // PostgreSQL may run as another user, who must be able to enter.
    removeOnExit(path);
    return path;
  };
  await compile();
  const dataFolder = await folder();
  const organizationId = await createOrganization(dataFolder);
  const serverKey = await createKey(dataFolder);
  const auditorKey = await createKey(dataFolder);
  return {
    organizationId,
    serverKey,
    auditorKey,
    async copy() {
      const copy = await folder();
      await run('cp', ['-a', `${dataFolder}/.`, copy]); // Preserves the owner, which PostgreSQL requires.
      return copy;
    },
  };
}

/** Fills the compile cache first, because a killed process does not write it. */
async function compile(): Promise<void> {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  for (const service of [
    'packages/cli/src/service',
    'packages/sandbox/src',
    'packages/cli/src/server',
  ]) {
    await run(process.execPath, [`${service}/main.ts`, '--help'], { cwd: ROOT, env });
  }
}

/**
 * @param location a data folder or a database URL
 * @returns the id of the organization
 */
export async function createOrganization(
  location: string,
  { name, slug, account, currency = 'usd' }: OrganizationOptions = FAULTS_ORGANIZATION,
): Promise<string> {
  const names = ['--name', name, '--slug', slug, '--account', account, '--currency', currency];
  return (await command(location, ['organizations', 'create', '--json', ...names]))['id']!;
}

/**
 * @param location a data folder or a database URL
 * @param organization its id, if there are several
 */
export async function createKey(location: string, organization?: string): Promise<string> {
  const args = ['keys', 'create', '--json', '--name', 'faults', '--scopes', 'all'];
  const owner = organization ? ['--organization', organization] : [];
  return (await command(location, [...args, ...owner]))['key']!;
}

async function command(location: string, args: string[]): Promise<Record<string, string>> {
  const database = location.startsWith('postgres')
    ? { DATABASE_URL: location }
    : { DATA_DIR: location };
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, API_SECRET, ...database };
  const cli = 'packages/cli/src/main.ts';
  const { stdout } = await run(process.execPath, [cli, ...args], { cwd: ROOT, env });
  return JSON.parse(stdout) as Record<string, string>;
}
