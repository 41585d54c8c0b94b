import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { createsIntent, retrievesIntent } from '../support/processor-calls.ts';

/** Time until PostgreSQL is restarted, long enough that requests to the API fail. */
const DOWNTIME_MS = 500;

/** PostgreSQL is killed during payments; the API keeps running and reconnects. */
export const postgresKilled: Scenario = {
  name: 'PostgreSQL killed during payments',
  faults: 'SIGKILL to the database server while an intent is created or a donation is saved',
  runs: { long: 20, short: 2 },
  async run(system, scenarioRun) {
    const postgres = system.postgres!;
    const { api } = system.services;
    const pidBefore = api.pid;
    await injectWhileDonating(system, scenarioRun, {
      concurrency: 5,
      calls: [createsIntent, retrievesIntent],
      inject: () => postgres.kill(),
      async recover() {
        await sleep(DOWNTIME_MS);
        await system.measure(async () => {
          await postgres.start();
          await api.ready();
        });
      },
    });
    scenarioRun.figures.push(
      api.pid === pidBefore && api.running ? 'the API kept running' : 'the API exited',
    );
  },
  async check(_system, { figures }) {
    return figures.filter((figure) => figure.includes('exited'));
  },
};
