import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EXTENSION, programPath, ROOT, type ServiceName } from './config.ts';

const LIFELINE_SCRIPT = join(import.meta.dirname, `lifeline${EXTENSION}`);
/** Compile cache of Node, for faster starts. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
/** Timeout for the start of a service; the first start creates a database and seeds it. */
const START_TIMEOUT_MS = 90_000;
/**
 * Timeout between SIGTERM and SIGKILL; services finish their requests in progress within 8 seconds.
 */
const STOP_TIMEOUT_MS = 10_000;

export interface ServicePlan {
  name: ServiceName;
  /** A program, such as `demo/main`, followed by its arguments. */
  command: [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
}

export interface Service {
  name: ServiceName;
  /** Sends SIGTERM and waits for the exit; SIGKILL after a timeout. */
  stop: () => Promise<void>;
}

interface ServiceEvents {
  /** Aborts the wait for a service that is starting. */
  signal: AbortSignal;
  /** Called for each line of output, except the line "listening on". */
  onLine: (service: ServiceName, line: string) => void;
  /** Called if the process exits unexpectedly. */
  onUnexpectedExit: (error: Error) => void;
}

/**
 * Starts a service in its own process group, so that Ctrl-C in the terminal reaches the launcher
 * only, which stops the services in order.
 *
 * @returns the service without waiting for its start; `listening` resolves when the service listens
 */
export function startService(
  plan: ServicePlan,
  events: ServiceEvents,
): { service: Service; listening: Promise<void> } {
  const [program, ...args] = plan.command;
  const child = spawn(
    process.execPath,
    ['--import', LIFELINE_SCRIPT, programPath(program), ...args],
    {
      cwd: ROOT,
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...plan.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let isStopping = false;
  const exit = once(child, 'exit').then(([code, signal]) => {
    const description = signal
      ? `was ended by ${String(signal)}`
      : `ended with exit code ${String(code)}`;
    const exitError = new Error(`${plan.name} ${description}.`);
    if (!isStopping) events.onUnexpectedExit(exitError);
    return exitError;
  });
  const failed = exit.then((error) => Promise.reject(error));
  let isListening = false;
  const listening = Promise.race([waitUntilListening(child, plan.name, events), failed]).then(
    () => {
      isListening = true;
    },
  );
  const stop = async () => {
    isStopping = true;
    child.kill('SIGTERM');
    // The API would leave its database running if it were killed while it starts.
    const timeoutMs = isListening ? STOP_TIMEOUT_MS : START_TIMEOUT_MS;
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    await exit.finally(() => clearTimeout(kill));
  };
  return { service: { name: plan.name, stop }, listening };
}

async function waitUntilListening(
  child: ChildProcess,
  name: ServiceName,
  { signal, onLine }: ServiceEvents,
) {
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const aborted = AbortSignal.any([signal, timeout]);
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (line.startsWith(`${name} listening on `)) resolve();
        else onLine(name, line);
      });
    }
    const onAbort = () =>
      reject(timeout.aborted ? new Error(`${name} did not start in time.`) : signal.reason);
    if (aborted.aborted) onAbort();
    else aborted.addEventListener('abort', onAbort);
  });
}
