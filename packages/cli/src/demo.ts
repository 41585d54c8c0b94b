import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { VARIABLES } from '@connect-embed/demo/messages';
import type { Command } from 'commander';
import { hasDatabase } from './config.ts';
import { ensurePostgres, findNewerNode } from './demo-packages.ts';

/** Adds the command `demo`, which runs the whole system with demo data. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run everything on this machine with demo data; the default command')
    .option('--empty', 'without demo data, to try the setup; has a data folder of its own')
    .option('--reset', 'delete the data of the demo, or with --empty those of the setup')
    .addHelpText('after', `\nEnvironment variables:\n${VARIABLES}`)
    .action(async ({ empty, reset }: { empty?: true; reset?: true }) => {
      process.exitCode = await run(empty === true, reset === true);
    });
}

/** @returns the exit code */
async function run(isEmpty: boolean, isReset: boolean): Promise<number> {
  const node = findNewerNode();
  if (node) return await runWith(node);
  // Loaded here, because an older Node cannot load the locks of the data folder.
  if (isReset) return (await import('@connect-embed/demo/reset-data')).resetData({ isEmpty });
  if (!hasDatabase()) ensurePostgres();
  const { launch } = await import('@connect-embed/demo/launch');
  return await launch({ isEmpty });
}

/** Runs this command again with another Node, and passes stop signals on. */
async function runWith(node: string): Promise<number> {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C in a terminal reaches the child as well, which ignores the second signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
