/** `npm start`: the whole house, each room a process of its own. `npm run dev` adds `--watch`. */
import { styleText } from 'node:util';
import { readConfig, type LauncherConfig, type ServiceName } from './launcher/config.ts';
import { startServices } from './launcher/start-services.ts';
import { lockDataFolder } from './launcher/data-folder-lock.ts';
import { resolvePorts } from './launcher/ports.ts';
import type { Service } from './launcher/service-process.ts';
import { watchSources } from './launcher/watch-sources.ts';
import { HELP, summary } from './launcher/console-messages.ts';

const say = (line: string) => console.log(line);
const onLine = (serviceName: ServiceName, line: string) =>
  console.error(`${styleText('dim', `${serviceName.padEnd(7)} │`)} ${line}`);

const isWatching = process.argv.includes('--watch');

/** Somebody asked for the end: Ctrl-C, SIGTERM, or the terminal was closed. */
class StopRequested extends Error {}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(HELP);
else process.exit(await start().catch(printError));

/** @returns the exit code */
async function start(): Promise<number> {
  const config = readConfig();
  const stopping = new AbortController();
  // The first signal stops; npm and the terminal both send one, so the next ones change nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stopping.abort(new StopRequested()));
  }
  const lock = lockDataFolder(config.dataDir);
  if (config.startedByNpm) stopWithParent(() => stopping.abort(new StopRequested()));
  try {
    return await run(config, stopping);
  } finally {
    lock.release();
  }
}

/** npm's shell ends at SIGTERM without passing it on; that it is gone is all that we see of it. */
function stopWithParent(stop: () => void) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 200).unref();
}

/** Runs until somebody stops it or a room dies, and leaves no room running. */
async function run(config: LauncherConfig, stopping: AbortController): Promise<number> {
  const { signal } = stopping;
  const services = new Map<ServiceName, Service>();
  try {
    const ports = await resolvePorts(config);
    const onDeath = (error: Error) => (isWatching ? printError(error) : stopping.abort(error));
    const events = { signal, onLine, onDeath, say };
    const system = await startServices({ ...config, ports }, services, events);
    say(summary({ ...config, ports }));
    // What cannot be built or started waits for the next change.
    if (isWatching) watchSources(signal, (names) => system.restart(names).catch(printError));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    stopping.abort(reason); // Rooms that are still starting are not waited for.
    return reason instanceof StopRequested ? 0 : printError(reason);
  } finally {
    await stopAll([...services.values()], signal.reason instanceof StopRequested);
  }
}

/**
 * Stops every program: on request one after the other, so that each can finish its work with those it
 * depends on, and after a failure all at once, so that `npm start` is possible again soon.
 */
async function stopAll(programs: Service[], inOrder: boolean): Promise<void> {
  if (!inOrder) return void (await Promise.all(programs.map((program) => program.stop())));
  for (const program of programs.reverse()) await program.stop();
}

function printError(error: unknown): 1 {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  return 1;
}
