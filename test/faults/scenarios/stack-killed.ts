import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';
import { readPostmaster } from '../support/postgres.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { opensIntent, readsIntent } from '../support/processor-proxy.ts';
import type { TestWorld } from '../world.ts';

/** A power failure of the whole embedded stack: sandbox, API, embedded PostgreSQL and BFF at once. */
export const stackKilled: Scenario = {
  name: 'the whole embedded stack killed and restarted',
  faults: 'SIGKILL to every process, in half of the runs to the API’s own PostgreSQL too',
  runs: { long: 20, short: 2 },
  world: { embedded: true },
  async run(world, scene) {
    await injectWhileDonating(world, scene, {
      concurrency: 4,
      calls: [opensIntent, readsIntent],
      inject: () => killEverything(world),
      recover: () => world.restart(...Object.values(world.services)),
    });
  },
};

/** PostgreSQL outlives the API by design, so it is killed by its own process id. */
async function killEverything(world: TestWorld): Promise<void> {
  const postmaster = readPostmaster(join(world.dataDir, 'postgres'));
  // In half of the runs it keeps running, as after a crash of the API alone.
  if (postmaster && world.random.next() < 0.5) process.kill(postmaster.pid, 'SIGKILL');
  await world.all((service) => service.kill());
}
