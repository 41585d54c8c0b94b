import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';
import { readPostmaster } from '../support/postgres.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { createsIntent, retrievesIntent } from '../support/processor-calls.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** A power failure of the whole embedded stack: sandbox, API, embedded PostgreSQL and BFF at once. */
export const stackKilled: Scenario = {
  name: 'embedded stack killed and restarted',
  faults: 'SIGKILL to all services, and in half of the runs to the embedded PostgreSQL',
  runs: { long: 20, short: 2 },
  system: { usesEmbeddedPostgres: true },
  async run(system, scenarioRun) {
    await injectWhileDonating(system, scenarioRun, {
      concurrency: 4,
      calls: [createsIntent, retrievesIntent],
      inject: () => killEverything(system),
      recover: () => system.restart(...Object.values(system.services)),
    });
  },
};

/** PostgreSQL outlives the API by design, so it is killed by its own process id. */
async function killEverything(system: SystemUnderTest): Promise<void> {
  const postmaster = readPostmaster(join(system.dataDir, 'postgres'));
  // In half of the runs it keeps running, as after a crash of the API alone.
  if (postmaster && system.random.next() < 0.5) process.kill(postmaster.pid, 'SIGKILL');
  await system.forEachService((service) => service.kill());
}
