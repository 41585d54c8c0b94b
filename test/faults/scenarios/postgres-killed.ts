import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { opensIntent, readsIntent } from '../support/processor-proxy.ts';

/** Long enough that requests fail for lack of the database. */
const DOWNTIME_MS = 500;

/** PostgreSQL is killed during payments; the API keeps running and reconnects. */
export const postgresKilled: Scenario = {
  name: 'PostgreSQL killed mid-payment',
  faults: 'SIGKILL to the database server while an intent is opened or a payment recorded',
  runs: { long: 20, short: 2 },
  async run(world, scene) {
    const postgres = world.postgres!;
    const { api } = world.services;
    const pidBefore = api.pid;
    await injectWhileDonating(world, scene, {
      concurrency: 5,
      calls: [opensIntent, readsIntent],
      inject: () => postgres.kill(),
      async recover() {
        await sleep(DOWNTIME_MS);
        await world.measure(async () => {
          await postgres.start();
          await api.ready();
        });
      },
    });
    scene.figures.push(
      api.pid === pidBefore && api.running
        ? 'the API lived through all of it'
        : 'the API died of it',
    );
  },
  async check(_world, { figures }) {
    return figures.filter((figure) => figure.includes('died'));
  },
};
