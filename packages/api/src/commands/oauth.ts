import { formatDate } from '@connect-embed/contract';
import type { Command } from 'commander';
import type { Db } from '../db/schema.ts';
import { createApp, listApps, rotateAppSecret } from '../oauth/apps.ts';
import { findPersonId } from './users.ts';
import { withDatabase } from './with-database.ts';

/** Adds the CLI commands `connect-embed apps create | list | rotate-secret`. */
export function addAppCommands(program: Command): void {
  const apps = program.command('apps').description('manage OAuth apps');

  apps
    .command('create')
    .description('register an app and show its secret once')
    .requiredOption('--owner <email>', 'email address of the developer who owns the app')
    .requiredOption('--name <name>', 'name shown to members who connect the app')
    .requiredOption(
      '--redirect-uri <uris...>',
      'allowed redirect URIs, matched exactly, except for the port of a loopback IP address',
    )
    .option('--json', 'print { client_id, client_secret } as JSON')
    .action((options: CreateOptions) => withDatabase((db) => registerApp(db, options)));

  apps
    .command('list')
    .description('list apps, newest first')
    .action(() => withDatabase(printApps));

  apps
    .command('rotate-secret')
    .description('replace the secret of an app; the old one stops working immediately')
    .argument('<id>', 'app ID (app_…)')
    .action((id: string) => withDatabase((db) => rotateSecret(db, id)));
}

interface CreateOptions {
  owner: string;
  name: string;
  redirectUri: string[];
  json?: true;
}

async function registerApp(db: Db, { owner, name, redirectUri, json }: CreateOptions) {
  const personId = await findPersonId(db, owner);
  const { id, secret } = await createApp(db, { personId, name, redirectUris: redirectUri });
  if (json) return console.log(JSON.stringify({ client_id: id, client_secret: secret }));
  console.log(
    `client_id ${id}. This is the client_secret. It will not be shown again:\n\n${secret}`,
  );
}

async function printApps(db: Db): Promise<void> {
  const rows = await listApps(db);
  if (rows.length === 0) return console.log('No apps yet.');
  for (const { id, name, personId, createdAt, redirectUris } of rows) {
    // The date is in UTC, because an app belongs to a person, not to an organization with a time
    // zone.
    const created = formatDate(createdAt, 'exact', { timeZone: 'UTC', locale: 'en-US' });
    console.log([id, personId, created, name, redirectUris.join(' ')].join('\t'));
  }
}

async function rotateSecret(db: Db, id: string): Promise<void> {
  const secret = await rotateAppSecret(db, { id });
  if (!secret) throw new Error(`No app has the ID ${id}.`);
  console.log(`This is the new client_secret of ${id}. It will not be shown again:\n\n${secret}`);
}
