import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, type RoomName } from './config.ts';

const LIFELINE = join(import.meta.dirname, 'lifeline.ts');
/** What rooms have compiled once, they need not compile at every start. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
/** A first start makes a database and fills it. */
const START_TIMEOUT_MS = 90_000;
/** Rooms finish what is under way within 8 seconds of being told to stop; one that starts, starts first. */
const STOP_TIMEOUT_MS = 10_000;

export interface RoomPlan {
  name: RoomName;
  /** From the repository's root, then its arguments. */
  command: [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
}

export interface Room {
  name: RoomName;
  /** Tells it to stop and waits until it has. */
  stop: () => Promise<void>;
}

interface RoomEvents {
  /** Ends the wait for a room that is still starting. */
  signal: AbortSignal;
  /** A line that the room printed, apart from the one that says it listens. */
  onLine: (room: RoomName, line: string) => void;
  /** It ended without being told to. */
  onDeath: (error: Error) => void;
}

/**
 * Starts a room in a process group of its own, so that Ctrl-C in the terminal reaches the launcher
 * alone and the rooms are stopped in order.
 *
 * @returns at once; `listening` settles when the room has said that it listens
 */
export function startRoom(
  plan: RoomPlan,
  events: RoomEvents,
): { room: Room; listening: Promise<void> } {
  const child = spawn(process.execPath, ['--import', LIFELINE, ...plan.command], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...plan.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stopping = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    const how = signal ? `was ended by ${String(signal)}` : `ended with exit code ${String(code)}`;
    const death = new Error(`${plan.name} ${how}.`);
    if (!stopping) events.onDeath(death);
    return death;
  });
  const dead = ended.then((death) => Promise.reject(death));
  let listens = false;
  const listening = Promise.race([untilListening(child, plan.name, events), dead]).then(() => {
    listens = true;
  });
  const stop = async () => {
    stopping = true;
    child.kill('SIGTERM');
    // Killed while it starts, the API would leave its database running.
    const patienceMs = listens ? STOP_TIMEOUT_MS : START_TIMEOUT_MS;
    const kill = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended.finally(() => clearTimeout(kill));
  };
  return { room: { name: plan.name, stop }, listening };
}

async function untilListening(child: ChildProcess, name: RoomName, { signal, onLine }: RoomEvents) {
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (line.startsWith(`${name} listening on `)) ready.resolve();
      else onLine(name, line);
    });
  }
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  const either = AbortSignal.any([signal, late]);
  either.addEventListener('abort', () =>
    ready.reject(late.aborted ? new Error(`${name} did not listen in time.`) : signal.reason),
  );
  if (signal.aborted) throw signal.reason;
  await ready.promise;
}
