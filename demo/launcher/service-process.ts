import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, type ServiceName } from './config.ts';

const EXIT_WITH_PARENT = join(import.meta.dirname, 'lifeline.ts');
/** What rooms have compiled once, they need not compile at every start. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
/** A first start makes a database and fills it. */
const START_TIMEOUT_MS = 90_000;
/** Rooms finish what is under way within 8 seconds of being told to stop; one that starts, starts first. */
const STOP_TIMEOUT_MS = 10_000;

export interface ServicePlan {
  name: ServiceName;
  /** From the repository's root, then its arguments. */
  command: [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
}

export interface Service {
  name: ServiceName;
  /** Tells it to stop and waits until it has. */
  stop: () => Promise<void>;
}

interface ServiceEvents {
  /** Ends the wait for a room that is still starting. */
  signal: AbortSignal;
  /** A line that the room printed, apart from the one that says it listens. */
  onLine: (service: ServiceName, line: string) => void;
  /** It ended without being told to. */
  onDeath: (error: Error) => void;
}

/**
 * Starts a room in a process group of its own, so that Ctrl-C in the terminal reaches the launcher
 * alone and the rooms are stopped in order.
 *
 * @returns at once; `listening` settles when the room has said that it listens
 */
export function startService(
  plan: ServicePlan,
  events: ServiceEvents,
): { room: Service; listening: Promise<void> } {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...plan.command], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...plan.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stopping = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    const description = signal
      ? `was ended by ${String(signal)}`
      : `ended with exit code ${String(code)}`;
    const exitError = new Error(`${plan.name} ${description}.`);
    if (!stopping) events.onDeath(exitError);
    return exitError;
  });
  const exited = ended.then((death) => Promise.reject(death));
  let isListening = false;
  const listening = Promise.race([waitUntilListening(child, plan.name, events), exited]).then(
    () => {
      isListening = true;
    },
  );
  const stop = async () => {
    stopping = true;
    child.kill('SIGTERM');
    // Killed while it starts, the API would leave its database running.
    const timeoutMs = isListening ? STOP_TIMEOUT_MS : START_TIMEOUT_MS;
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    await ended.finally(() => clearTimeout(kill));
  };
  return { room: { name: plan.name, stop }, listening };
}

async function waitUntilListening(
  child: ChildProcess,
  name: ServiceName,
  { signal, onLine }: ServiceEvents,
) {
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (line.startsWith(`${name} listening on `)) ready.resolve();
      else onLine(name, line);
    });
  }
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const aborted = AbortSignal.any([signal, timeout]);
  aborted.addEventListener('abort', () =>
    ready.reject(timeout.aborted ? new Error(`${name} did not listen in time.`) : signal.reason),
  );
  if (signal.aborted) throw signal.reason;
  await ready.promise;
}
