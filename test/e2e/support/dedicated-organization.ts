import { join } from 'node:path';
import type { Addresses } from '../../support/system.ts';
import { runJsonCommand } from './run-command.ts';
import { startDedicatedServer, type DedicatedServer } from '../../support/dedicated-server.ts';

/** An organization for one test, with its own API key and Stripe account. */
export interface NewOrganization {
  /** The addresses of the system, with the organization's API key. */
  system: Addresses;
  /** Id of the Stripe account. */
  account: string;
}

/** An organization with its own BFF. */
export interface DedicatedOrganization extends NewOrganization {
  server: DedicatedServer;
}

interface ServerOptions {
  /** Origin of pages that may embed its form. */
  pages: string;
  /** A configuration file in this folder. */
  config: string;
  /** Environment variables that the configuration file reads. */
  env?: NodeJS.ProcessEnv;
}

/** Creates the organization with the CLI, as an operator does, and starts its BFF. */
export async function createDedicatedOrganization(
  system: Addresses,
  { currency, ...options }: ServerOptions & { currency: string },
): Promise<DedicatedOrganization> {
  const organization = await createOrganization(system, currency);
  return { ...organization, server: await startServerOf(organization, options) };
}

export async function createOrganization(
  system: Addresses,
  currency: string,
): Promise<NewOrganization> {
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
  return { system: { ...system, organization_id: created['id']!, api_key: key! }, account };
}

export const startServerOf = (
  { system, account }: NewOrganization,
  { pages, config, env }: ServerOptions,
): Promise<DedicatedServer> =>
  startDedicatedServer(system, {
    ALLOWED_ORIGINS: pages,
    CONNECT_CONFIG: join(import.meta.dirname, config),
    // With a secret of its own, its donors do not count as those of another server with the same address.
    SESSION_SECRET: `a-session-secret-of-${account}`,
    ...env,
  });
