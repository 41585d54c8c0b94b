import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports.ts';
import { startSystem } from '../../support/system.ts';
import { SYSTEM_VARIABLE, WORDPRESS_VARIABLE } from './fixtures.ts';
import { startMariaDb } from './mariadb.ts';
import { startWordPress } from './wordpress.ts';

/** Global setup: starts the whole system, MariaDB and WordPress, and stops them after the last test. */
export default async function start() {
  const stops: (() => Promise<unknown>)[] = [];
  const stopAll = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'connect-wordpress-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const [port] = await freePorts(1);
    const database = await startMariaDb(folder);
    stops.push(database.stop);
    const { stop, ...wordpress } = await startWordPress(folder, port!, database.socket);
    stops.push(stop);
    const system = await startSystem();
    stops.push(system.close);
    // Worker processes inherit the environment.
    process.env[SYSTEM_VARIABLE] = JSON.stringify(system);
    process.env[WORDPRESS_VARIABLE] = JSON.stringify(wordpress);
    return stopAll;
  } catch (error) {
    await stopAll();
    throw error;
  }
}
