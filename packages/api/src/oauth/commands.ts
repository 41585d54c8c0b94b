import { formatDate } from '@connect-embed/contract';
import type { Command } from 'commander';
import { findPerson, type WithDatabase } from '../users/commands.ts';
import { createApp, listApps, rotateAppSecret } from './apps.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface CreateOptions {
  owner: string;
  name: string;
  redirectUri: string[];
  json?: true;
}

/** Registers the CLI commands `connect apps create | list | rotate-secret`. */
export function addAppCommands(program: Command, withDatabase: WithDatabase): void {
  const apps = program.command('apps').description('OAuth apps of developers');

  apps
    .command('create')
    .description('register an app; its secret is shown this once')
    .requiredOption('--owner <email>', 'the developer; an app belongs to a person')
    .requiredOption('--name <name>', 'as members will read it when they are asked')
    .requiredOption('--redirect-uri <uris...>', 'where the browser may be sent back to, exactly')
    .option('--json', 'print { client_id, client_secret } for programs')
    .action(({ owner, name, redirectUri, json }: CreateOptions) =>
      withDatabase(async (db) => {
        const personId = await findPerson(db, owner);
        const { id, secret } = await createApp(db, { personId, name, redirectUris: redirectUri });
        if (json) return print(JSON.stringify({ client_id: id, client_secret: secret }));
        print(`client_id ${id}. This is the client_secret; it is not shown again:\n\n${secret}`);
      }),
    );

  apps
    .command('list')
    .description('list apps, newest first')
    .action(() =>
      withDatabase(async (db) => {
        const rows = await listApps(db);
        if (rows.length === 0) return print('There are no apps.');
        for (const { id, name, personId, createdAt, redirectUris } of rows) {
          // The date is in UTC, because an app belongs to a person, not to an organization with a
          // time zone.
          const created = formatDate(createdAt, 'exact', { timeZone: 'UTC', locale: 'en-US' });
          print([id, personId, created, name, redirectUris.join(' ')].join('\t'));
        }
      }),
    );

  apps
    .command('rotate-secret')
    .description('give an app a new secret; the old one ends at once')
    .argument('<id>', 'app_…, as listed')
    .action((id: string) =>
      withDatabase(async (db) => {
        const secret = await rotateAppSecret(db, { id });
        if (!secret) throw new Error(`There is no app ${id}.`);
        print(`This is the new client_secret of ${id}; it is not shown again:\n\n${secret}`);
      }),
    );
}
