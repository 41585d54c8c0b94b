import type { Command } from 'commander';
import { createSetupLink, isEmpty, removeSetupLinks } from '../setup/setup-link.ts';
import { readCommandConfig } from '../process/last-address.ts';
import { withDatabase } from './with-database.ts';

/** Adds the CLI command `connect-embed setup-link`. */
export function addSetupCommand(program: Command): void {
  program
    .command('setup-link')
    .description('create a link to set up an empty installation; it replaces earlier links')
    .action(() =>
      withDatabase(async (db) => {
        const { baseUrl } = readCommandConfig();
        if (!(await isEmpty(db))) {
          throw new Error(`This installation is set up already. Sign in at ${baseUrl}/sign-in`);
        }
        await removeSetupLinks(db);
        const link = await createSetupLink(db, baseUrl);
        process.stdout.write(`Open this link within an hour. It works once:\n\n${link}\n`);
      }),
    );
}
