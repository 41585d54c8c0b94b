import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type RoomName } from './config.ts';

/** An editor saves a file in several steps. */
const SETTLE_MS = 150;

/** Which rooms read what; the server hands out the elements' script. */
const READERS: [folder: string, ...rooms: RoomName[]][] = [
  ['packages/contract/src', 'api', 'server'],
  ['packages/elements/src', 'server'],
  ['packages/sandbox/src', 'sandbox'],
  ['packages/api/src', 'api'],
  ['server', 'server'],
  ['demo', 'demo', 'server'],
];

/** Tells which rooms have to be started anew after a change of their files. */
export function watchSources(
  signal: AbortSignal,
  onChange: (rooms: RoomName[]) => Promise<unknown>,
) {
  const changed = new Set<RoomName>();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const flush = () => {
    const rooms = [...changed];
    changed.clear();
    last = last.then(() => onChange(rooms));
  };
  for (const [folder, ...rooms] of READERS) {
    watch(join(ROOT, folder), { recursive: true, signal }, (_event, file) => {
      if (!file || /node_modules|\.test\.ts$|\.timestamp-/.test(file)) return;
      for (const room of rooms) changed.add(room);
      clearTimeout(timer);
      timer = setTimeout(flush, SETTLE_MS);
    });
  }
}
