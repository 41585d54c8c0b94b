import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Addresses } from '../../support/system.ts';
import { startDedicatedServer, type DedicatedServer } from '../../support/dedicated-server.ts';

/** Where the house keeps its data: the API's command finds its database there. */
export const DATA_DIR_VARIABLE = 'E2E_DATA_DIR';

const ROOT = join(import.meta.dirname, '../../..');

/** An organization of a journey's own in the running house, with its key, its account and its server. */
export interface DedicatedOrganization {
  /** As the house, but with the organization's key. */
  house: Addresses;
  /** At the processor. */
  account: string;
  server: DedicatedServer;
}

interface OrganizationOptions {
  currency: string;
  /** Pages that may carry its form. */
  pages: string;
  /** A file beside this one that says its forms. */
  config: string;
}

/** Makes one as an operator would, with the API's own command. */
export async function createDedicatedOrganization(
  house: Addresses,
  { currency, pages, config }: OrganizationOptions,
): Promise<DedicatedOrganization> {
  const slug = `e2e-${crypto.randomUUID()}`;
  const account = `acct_${slug.replaceAll('-', '')}`;
  const name = 'Riverside Kitchen';
  const created = await connect(
    ...['organizations', 'create', '--name', name, '--slug', slug],
    ...['--currency', currency, '--account', account],
  );
  const { key } = await connect(
    ...[
      'keys',
      'create',
      '--name',
      'a journey',
      '--scopes',
      'all',
      '--organization',
      created['id']!,
    ],
  );
  const dedicated = { ...house, organization_id: created['id']!, api_key: key! };
  const CONNECT_CONFIG = join(import.meta.dirname, config);
  const server = await startDedicatedServer(dedicated, { ALLOWED_ORIGINS: pages, CONNECT_CONFIG });
  return { house: dedicated, account, server };
}

/** `connect …`, and what it prints for programs. */
async function connect(...cliArguments: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: process.env[DATA_DIR_VARIABLE] };
  const args = ['packages/api/src/cli.ts', ...cliArguments, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return JSON.parse(stdout) as Record<string, string>;
}
