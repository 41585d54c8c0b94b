/** The command `connect-embed`. */
import { readFileSync } from 'node:fs';
import { addAdministrationCommands } from '@connect-embed/api/cli';
import { formatError } from '@connect-embed/api/log';
import { Command } from 'commander';
import { setDefaultDataFolder } from './config.ts';
import { addDemoCommand } from './demo.ts';
import { addListenCommand } from './listen.ts';
import { addMcpCommand } from './mcp.ts';
import { addServeCommand } from './serve.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const program = new Command('connect-embed')
  .description('Runs Connect Embed, and administers an installation.')
  .version(version)
  .option('--env-file <file>', 'read environment variables from a file')
  .hook('preAction', (_, command) => {
    const { envFile } = program.opts<{ envFile?: string }>();
    if (envFile) process.loadEnvFile(envFile);
    // The demo has two folders, and selects one of them itself.
    if (command.name() !== 'demo') setDefaultDataFolder();
  })
  .showHelpAfterError('(run with --help for usage)');

addDemoCommand(program);
addServeCommand(program);
addListenCommand(program);
addMcpCommand(program);
addAdministrationCommands(program);

const args = process.argv.slice(2);
const INFORMATION = new Set(['-h', '--help', '-V', '--version']);
/** Without a command, the demo runs. The file of `--env-file` is no command. */
const isDemo = args.every(
  (arg, index) =>
    !INFORMATION.has(arg) && (arg.startsWith('-') || args[index - 1] === '--env-file'),
);

await program
  .parseAsync(isDemo ? ['demo', ...args] : args, { from: 'user' })
  .catch((error: unknown) => {
    process.stderr.write(`${formatError(error)}\n`);
    process.exitCode = 1;
  });
