import { join } from 'node:path';
import type { Addresses } from '../../support/system.ts';
import { runJsonCommand } from './run-command.ts';
import { startDedicatedServer, type DedicatedServer } from '../../support/dedicated-server.ts';

/** An organization for one test, with its own API key, Stripe account and BFF. */
export interface DedicatedOrganization {
  /** The addresses of the system, with the organization's API key. */
  system: Addresses;
  /** Id of the Stripe account. */
  account: string;
  server: DedicatedServer;
}

interface OrganizationOptions {
  currency: string;
  /** Origin of pages that may embed its form. */
  pages: string;
  /** A configuration file in this folder. */
  config: string;
}

/** Creates the organization with the CLI, as an operator does. */
export async function createDedicatedOrganization(
  system: Addresses,
  { currency, pages, config }: OrganizationOptions,
): Promise<DedicatedOrganization> {
  const slug = `e2e-${crypto.randomUUID()}`;
  const account = `acct_${slug.replaceAll('-', '')}`;
  const name = 'Riverside Kitchen';
  const created = await runJsonCommand(
    ...['organizations', 'create', '--name', name, '--slug', slug],
    ...['--currency', currency, '--account', account],
  );
  const { key } = await runJsonCommand(
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
  const dedicated = { ...system, organization_id: created['id']!, api_key: key! };
  const CONNECT_CONFIG = join(import.meta.dirname, config);
  const server = await startDedicatedServer(dedicated, {
    ALLOWED_ORIGINS: pages,
    CONNECT_CONFIG,
    // With a secret of its own, its donors do not count as those of another server with the same address.
    SESSION_SECRET: `a-session-secret-of-${slug}`,
  });
  return { system: dedicated, account, server };
}
