import { formatFatal } from '@connect-embed/api/log';
import { ROOT } from '@connect-embed/demo/config';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { loadPages } from './service/load-pages.ts';
import { isProduction, localApiBase, readServeVariables, ROLES, type Role } from './config.ts';

/** Adds the command `serve`, which runs the services of an installation. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the API, its worker and the server, all in one process or by role')
    .addOption(
      new Option('--role <role>', 'all, api, worker or server; several with commas')
        .argParser(parseRoles)
        .default(new Set<Role>(ROLES), 'all'),
    )
    .addHelpText('after', `\nEnvironment variables: ${ROOT}/docs/operations-settings.md`)
    .action(({ role }: { role: ReadonlySet<Role> }) =>
      serve(role).catch((error: unknown) => {
        process.stderr.write(`${formatFatal(error, 'connect-embed', isProduction())}\n`);
        process.exitCode = 1;
      }),
    );
}

function parseRoles(text: string): ReadonlySet<Role> {
  if (text === 'all') return new Set(ROLES);
  const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);
  const names = text.split(',').map((name) => name.trim());
  if (names.every(isRole)) return new Set(names);
  throw new InvalidArgumentError('It must be all, api, worker or server, or several with commas.');
}

interface Service {
  port: number;
  stop: () => Promise<void>;
}

/** Runs until a stop signal. Then the server finishes its requests before the API that it calls. */
async function serve(roles: ReadonlySet<Role>): Promise<void> {
  const stopped = new Promise((resolve) =>
    process.once('SIGTERM', resolve).once('SIGINT', resolve),
  );
  const variables = readServeVariables(roles);
  const running: Service[] = [];
  try {
    const startServer = roles.has('server') && (await prepareServer(variables));
    const api = await startApi(roles, variables);
    if (api) running.unshift(api);
    if (startServer) running.unshift(await startServer(api));
    await stopped;
  } finally {
    for (const service of running) await service.stop();
  }
  process.exit(); // Does not wait for the compression of scripts.
}

/** Checks the settings of the server, so that a mistake in them ends the process before the API starts. */
async function prepareServer(variables: NodeJS.ProcessEnv) {
  const { readEnvironment, startServer } = await import('@connect-embed/server/node');
  const { createPages } = await import('./server/pages.ts');
  readEnvironment(variables);
  return (api: Service | undefined) =>
    startServer(
      {
        ...(api && { CONNECT_API_BASE: localApiBase(api.port, variables) }),
        ...variables,
      },
      createPages(),
    );
}

async function startApi(
  roles: ReadonlySet<Role>,
  variables: NodeJS.ProcessEnv,
): Promise<Service | undefined> {
  if (!roles.has('api') && !roles.has('worker')) return undefined;
  const { startService } = await import('@connect-embed/api/start-service');
  const role = !roles.has('worker') ? 'api' : roles.has('api') ? 'all' : 'worker';
  return await startService({ role, loadPages, variables });
}
