/** `npm start`: the whole house, each room a process of its own. `npm run dev` adds `--watch`. */
import { styleText } from 'node:util';
import { readConfig, type LauncherConfig, type RoomName } from './launcher/config.ts';
import { startHouse } from './launcher/house.ts';
import { lockDataFolder } from './launcher/lock.ts';
import { settlePorts } from './launcher/ports.ts';
import type { Room } from './launcher/room.ts';
import { watchSources } from './launcher/watch.ts';
import { HELP, summary } from './launcher/words.ts';

const say = (line: string) => console.log(line);
const onLine = (room: RoomName, line: string) =>
  console.error(`${styleText('dim', `${room.padEnd(7)} │`)} ${line}`);

const watching = process.argv.includes('--watch');

/** Somebody asked for the end: Ctrl-C, SIGTERM, or the terminal was closed. */
class Stopped extends Error {}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(HELP);
else process.exit(await start().catch(report));

/** @returns the exit code */
async function start(): Promise<number> {
  const config = readConfig();
  const stopping = new AbortController();
  // The first signal stops; npm and the terminal both send one, so the next ones change nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stopping.abort(new Stopped()));
  }
  const lock = lockDataFolder(config.dataDir);
  if (config.byNpm) endWithParent(() => stopping.abort(new Stopped()));
  try {
    return await run(config, stopping);
  } finally {
    lock.release();
  }
}

/** npm's shell ends at SIGTERM without passing it on; that it is gone is all that we see of it. */
function endWithParent(stop: () => void) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 200).unref();
}

/** Runs until somebody stops it or a room dies, and leaves no room running. */
async function run(config: LauncherConfig, stopping: AbortController): Promise<number> {
  const { signal } = stopping;
  const rooms = new Map<RoomName, Room>();
  try {
    const ports = await settlePorts(config);
    const onDeath = (error: Error) => (watching ? report(error) : stopping.abort(error));
    const events = { signal, onLine, onDeath, say };
    const house = await startHouse({ ...config, ports }, rooms, events);
    say(summary({ ...config, ports }));
    // What cannot be built or started waits for the next change.
    if (watching) watchSources(signal, (names) => house.reopen(names).catch(report));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    stopping.abort(reason); // Rooms that are still starting are not waited for.
    return reason instanceof Stopped ? 0 : report(reason);
  } finally {
    await stopAll([...rooms.values()], signal.reason instanceof Stopped);
  }
}

/**
 * Stops every program: on request one after the other, so that each can finish its work with those it
 * depends on, and after a failure all at once, so that `npm start` is possible again soon.
 */
async function stopAll(programs: Room[], inOrder: boolean): Promise<void> {
  if (!inOrder) return void (await Promise.all(programs.map((program) => program.stop())));
  for (const program of programs.reverse()) await program.stop();
}

function report(error: unknown): 1 {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  return 1;
}
