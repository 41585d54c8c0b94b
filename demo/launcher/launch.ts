import { styleText } from 'node:util';
import { readConfig, type LauncherConfig, type ServiceName } from './config.ts';
import { startServices } from './start-services.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { resolvePorts } from './ports.ts';
import type { Service } from './service-process.ts';
import { watchSources } from './watch-sources.ts';
import { summary } from './console-messages.ts';

const printLine = (line: string) => console.log(line);
const onLine = (serviceName: ServiceName, line: string) =>
  console.error(`${styleText('dim', `${serviceName.padEnd(7)} │`)} ${line}`);

/** A requested stop: Ctrl-C, SIGTERM, or a closed terminal. */
class StopRequested extends Error {}

interface LauncherOptions {
  /** Whether the database stays without demo data. */
  isEmpty?: boolean;
  /** Whether a service restarts when its source files change. */
  isWatching?: boolean;
}

/**
 * Runs the whole system, each service as a process, until a stop is requested or a service dies.
 *
 * @returns the exit code
 */
export async function launch({ isEmpty, isWatching = false }: LauncherOptions): Promise<number> {
  try {
    const config = readConfig({ isEmpty });
    const stopController = new AbortController();
    // Both npm and the terminal send a signal; only the first one counts.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => stopController.abort(new StopRequested()));
    }
    const lock = lockDataFolder(config.dataDir);
    if (config.isStartedByNpm) stopWithParent(() => stopController.abort(new StopRequested()));
    try {
      return await run({ ...config, isWatching }, stopController);
    } finally {
      lock.release();
    }
  } catch (error) {
    return printError(error);
  }
}

/**
 * On SIGTERM the shell of npm exits without forwarding the signal, so a changed parent process id
 * requests a stop.
 */
function stopWithParent(stop: () => void) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 200).unref();
}

/** Runs until a stop is requested or a service dies, and stops every service. */
async function run(
  { isWatching, ...config }: LauncherConfig & { isWatching: boolean },
  stopController: AbortController,
): Promise<number> {
  const { signal } = stopController;
  const services = new Map<ServiceName, Service>();
  try {
    const ports = await resolvePorts(config);
    const onUnexpectedExit = (error: Error) =>
      isWatching ? printError(error) : stopController.abort(error);
    const events = { signal, onLine, onUnexpectedExit, printLine };
    const system = await startServices({ ...config, ports }, services, events);
    printLine(summary({ ...config, ports }, system.setupLink()));
    // If the build or a start fails, the next change tries again.
    if (isWatching) watchSources(signal, (names) => system.restart(names).catch(printError));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    stopController.abort(reason); // Aborts the start of the remaining services.
    return reason instanceof StopRequested ? 0 : printError(reason);
  } finally {
    await stopAll([...services.values()], signal.reason instanceof StopRequested);
  }
}

/**
 * Stops all services. A requested stop is sequential, in reverse order of their start, so that each
 * service can finish its work while the services that it needs still run. After a failure all
 * services are stopped at once, so that `npm start` can soon be run again.
 */
async function stopAll(services: Service[], isSequential: boolean): Promise<void> {
  if (!isSequential) return void (await Promise.all(services.map((program) => program.stop())));
  for (const program of services.reverse()) await program.stop();
}

function printError(error: unknown): 1 {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  return 1;
}
