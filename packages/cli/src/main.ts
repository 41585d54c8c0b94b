/** The command `connect-embed`. */
import { addAdministrationCommands } from '@connect-embed/api/cli';
import { formatError } from '@connect-embed/api/log';
import { Command } from 'commander';

const program = new Command('connect-embed')
  .description('Administers Connect Embed. Works whether or not the service is running.')
  .showHelpAfterError('(run with --help for usage)');

addAdministrationCommands(program);

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
});
