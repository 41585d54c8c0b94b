import type { ProxiedRequest } from '../../support/http-proxy.ts';
import type { ScenarioRun } from '../scenario.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { createDonors, type AttemptedDonation } from './donor.ts';
import { once } from './processor-calls.ts';

interface Injection {
  /** Number of concurrent donors. */
  concurrency: number;
  /** The API's requests to the processor at which the fault may be injected, before or after them. */
  calls: readonly ((call: ProxiedRequest) => boolean)[];
  inject(): Promise<void>;
  recover(): Promise<void>;
}

/**
 * Maximum number of runs at a time: donors of earlier runs may still be retrying when later runs
 * start.
 */
const MAX_OVERLAPPING_RUNS = 2;

/**
 * Injects the fault once per run, at a random processor request of a payment, and waits for all
 * donors.
 */
export async function injectWhileDonating(
  system: SystemUnderTest,
  scenarioRun: ScenarioRun,
  injection: Injection,
): Promise<void> {
  const { random, processorProxy } = system;
  const attempts: Promise<AttemptedDonation[]>[] = [];
  for (let run = 1; run <= scenarioRun.runs; run += 1) {
    const phase = random.pick(['request', 'response'] as const);
    const call = random.pick(injection.calls);
    const injected = new Promise<void>((resolve, reject) => {
      processorProxy.hooks = once(phase, call, () => injection.inject().then(resolve, reject));
    });
    const donors = await createDonors(system, injection.concurrency);
    attempts.push(Promise.all(donors.map((donor) => donor.donate())));
    await injected;
    await injection.recover();
    await attempts.at(-MAX_OVERLAPPING_RUNS);
    scenarioRun.progress(run);
  }
  scenarioRun.donations.push(...(await Promise.all(attempts)).flat());
}
