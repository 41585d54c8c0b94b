import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { hasSameSecret, replaceSecret, requireSameSecret } from '../db/installation.ts';
import { withDatabase } from './with-database.ts';

const REPLACEMENT_WARNING = `Replacing API_SECRET signs out everyone and invalidates every list cursor and every link in emails that were sent.
Webhook signing secrets can no longer be decrypted: rotate the secret of every webhook endpoint.
Stripe keys that organizations entered can no longer be decrypted: an owner must enter them again.
Two-step sign-in is turned off for everyone and must be set up again.
If you still have the previous secret, use \`secret rotate\` instead: it loses nothing.`;

/** Adds the CLI commands `connect-embed secret rotate` and `connect-embed secret replace`. */
export function addSecretCommands(program: Command): void {
  const secret = program.command('secret').description('rotate or replace API_SECRET');

  secret
    .command('rotate')
    .description('encrypt the database again with the first secret in API_SECRET=new,old')
    .action(() =>
      withDatabase(async (db) => {
        const secrets = readConfig().loadOrCreateSecret();
        await requireSameSecret(db, secrets);
        const { reencryptAll } = await import('../setup/reencrypt.ts');
        const count = await reencryptAll(db, secrets);
        console.log(`Encrypted ${count} values with the first secret in API_SECRET.`);
        console.log(
          'Remove the other secrets and restart every process, when no link in use needs them.',
        );
      }),
    );

  secret
    .command('replace')
    .description('use the current API_SECRET with this database if the previous one is lost')
    .option('--yes', 'replace the secret; without --yes, only the consequences are printed')
    .action(({ yes }: { yes?: true }) =>
      withDatabase(async (db) => {
        const secrets = readConfig().loadOrCreateSecret();
        if (await hasSameSecret(db, secrets))
          return console.log('API_SECRET already matches this database.');
        if (!yes) return console.log(`${REPLACEMENT_WARNING}\nTo continue, add --yes.`);
        await replaceSecret(db, secrets);
        console.log('The database now uses the current API_SECRET. Restart every process.');
      }),
    );
}
