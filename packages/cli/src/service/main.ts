import { parseArgs } from 'node:util';
import { Environment, isProduction } from '@connect-embed/api/config';
import { formatFatal } from '@connect-embed/api/lib/log';
import { isRole, loadRole } from '@connect-embed/api/process/roles';
import { startService } from '@connect-embed/api/process/start-service';
import { loadPages } from './load-pages.ts';

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(help());
  await loadRole('all', loadPages); // The build of a container image runs `--help` to compile and cache all modules.
} else {
  await start().catch((error: unknown) => {
    process.stderr.write(`${formatFatal(error, 'api', isProduction())}\n`);
    process.exit(1);
  });
}

function help(): string {
  const variables = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return `node packages/cli/src/service/main.ts [--seed] [--role api|worker|all]

  --seed    adds demo data to a database without organizations
  --role    api serves requests, worker runs background jobs; all (default) does both

Environment variables:
${variables.join('\n')}`;
}

/** Runs the service until a stop signal. */
async function start(): Promise<void> {
  // The handler is registered first: otherwise a stop signal during the start would leave the
  // embedded database server running.
  const stopped = waitForStopSignal();
  const service = await startService({ ...readArguments(), loadPages });
  const hasLostDatabase = await Promise.race([
    stopped.then(() => false),
    service.databaseEnded.then(() => true),
  ]);
  await service.stop();
  if (hasLostDatabase) process.exitCode = 1;
}

function readArguments() {
  const { seed, role } = parseArgs({
    options: {
      seed: { type: 'boolean', default: false },
      role: { type: 'string', default: 'all' },
    },
  }).values;
  if (!isRole(role)) {
    throw new Error(`--role must be api, worker or all, not "${role}".`);
  }
  return { seed, role };
}

function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
