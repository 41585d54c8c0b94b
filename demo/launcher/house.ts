import { join } from 'node:path';
import { ensureBundle } from './bundle.ts';
import type { LauncherConfig, RoomName } from './config.ts';
import { keepCredential } from './credential.ts';
import { addressesOf, planRooms } from './plans.ts';
import { startRoom, type Room, type RoomPlan } from './room.ts';
import { keepSecrets, writePrivately } from './secrets.ts';

interface HouseEvents {
  signal: AbortSignal;
  onLine: (room: RoomName, line: string) => void;
  onDeath: (error: Error) => void;
  say: (line: string) => void;
}

/**
 * Starts every room, each when those that it needs are listening.
 *
 * @param rooms is left what has been started, whether or not the rest follows
 * @returns the organization whose data it shows
 */
export async function startHouse(config: LauncherConfig, rooms: Room[], events: HouseEvents) {
  const { signal } = events;
  const { sandbox, api, demo, planServer } = planRooms(config, keepSecrets(config.dataDir));
  const { site, server, api: apiUrl } = addressesOf(config);
  const apiBase = `${apiUrl}/api/v1`;
  const file = join(config.dataDir, 'demo.json');
  const open = async (plan: RoomPlan) => {
    signal.throwIfAborted();
    const { room, listening } = startRoom(plan, events);
    rooms.push(room);
    await listening;
  };

  const built = ensureBundle(signal, events.say);
  const opened = Promise.all([...(config.stripe ? [] : [open(sandbox)]), open(api), open(demo)]);
  await Promise.all([built, opened]);
  const { api_key, organization_id } = await keepCredential({
    apiBase,
    file,
    env: api.env,
    signal,
  });
  await open(planServer(api_key));
  writePrivately(file, { site, server, api_base: apiBase, api_key, organization_id });
  return organization_id;
}
