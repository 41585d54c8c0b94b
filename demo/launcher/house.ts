import { join } from 'node:path';
import { ensureBundle } from './bundle.ts';
import type { LauncherConfig, RoomName } from './config.ts';
import { keepCredential, readKeptKey } from './credential.ts';
import { addressesOf, planRooms } from './plans.ts';
import { startRoom, type Room, type RoomPlan } from './room.ts';
import { keepSecrets, writePrivately } from './secrets.ts';

interface HouseEvents {
  signal: AbortSignal;
  onLine: (room: RoomName, line: string) => void;
  onDeath: (error: Error) => void;
  say: (line: string) => void;
}

/** The house when it runs. */
export interface House {
  /** Stops rooms and starts them again from their files as they are now. */
  reopen: (names: RoomName[]) => Promise<void>;
}

/**
 * Starts every room, each when those that it needs are listening.
 *
 * @param rooms is left what has been started, whether or not the rest follows
 */
export async function startHouse(
  config: LauncherConfig,
  rooms: Map<RoomName, Room>,
  events: HouseEvents,
): Promise<House> {
  const { signal, say } = events;
  const { sandbox, api, demo, planServer } = planRooms(config, keepSecrets(config.dataDir));
  const { site, server, api: apiUrl } = addressesOf(config);
  const apiBase = `${apiUrl}/api/v1`;
  const file = join(config.dataDir, 'demo.json');
  const keptKey = readKeptKey(file);
  const plans = new Map<RoomName, RoomPlan>();
  const open = async (plan: RoomPlan) => {
    signal.throwIfAborted();
    plans.set(plan.name, plan);
    const { room, listening } = startRoom(plan, events);
    rooms.set(plan.name, room);
    await listening;
  };

  const opened = Promise.all([...(config.stripe ? [] : [open(sandbox)]), open(api), open(demo)]);
  await Promise.all([ensureBundle(signal, say), opened]);
  const key = await keepCredential({ apiBase, keptKey, env: api.env, signal });
  await open(planServer(key.api_key));
  writePrivately(file, { site, server, api_base: apiBase, ...key });

  const reopen = async (names: RoomName[]) => {
    await ensureBundle(signal, say);
    for (const name of names) {
      const plan = plans.get(name);
      if (!plan) continue;
      await rooms.get(name)?.stop();
      await open(plan);
      say(`Started ${name} again.`);
    }
  };
  return { reopen };
}
