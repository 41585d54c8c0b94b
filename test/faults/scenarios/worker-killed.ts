import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.ts';
import type { Scenario, ScenarioRun } from '../scenario.ts';
import { Donor } from '../support/donor.ts';
import { ManagedService } from '../support/service.ts';
import { createKey } from '../support/initial-data.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** The API allows 20 webhook endpoints per credential. */
const ENDPOINTS_PER_KEY = 20;
/** Response time of the receiver; long enough that many deliveries are in progress at any moment. */
const RESPONSE_DELAY_MS = 100;
const WORKERS = 4;
/** Longer than the lock of a killed worker's deliveries, which expires after half a minute. */
const NO_PROGRESS_MS = 120_000;

/** Creates all deliveries first, and then kills the worker repeatedly while it sends them. */
export const workerKilled: Scenario = {
  name: 'worker killed during webhook deliveries',
  faults: 'SIGKILL to the worker while it sends webhook events to many endpoints',
  runs: { long: 200, short: 4 },
  system: { hasWorker: true },
  async run(system, scenarioRun) {
    const { runs, donations, figures, progress } = scenarioRun;
    const worker = system.worker!;
    await worker.kill();
    const { keys, count } = sizesOf(scenarioRun);
    for (let key = 0; key < keys; key += 1) await subscribe(system, key);
    for (let donated = 0; donated < count; donated += 5) {
      const donors = Array.from({ length: Math.min(5, count - donated) }, () => new Donor(system));
      donations.push(...(await Promise.all(donors.map((donor) => donor.donate()))));
    }
    system.webhookCounter.delayMs = RESPONSE_DELAY_MS;
    let done = 0;
    const runWorker = async (service: ManagedService) => {
      while (done < runs) {
        progress((done += 1));
        await system.restart(service);
        await system.waitForWebhooks(system.random.integer(1, 40));
        await service.kill();
      }
    };
    await Promise.all((await copiesOf(worker)).map(runWorker));
    await system.restart(worker);
    const expected = count * (keys * ENDPOINTS_PER_KEY + 1);
    await waitForAll(system, expected);
    const { unique, total } = system.webhookCounter;
    const resent = total - unique;
    figures.push(
      `${runs} kills during ${expected} deliveries: ${expected - unique} lost, ${resent} sent again`,
    );
  },
  async check(system, scenarioRun) {
    const missing: string[] = [];
    const { keys } = sizesOf(scenarioRun);
    for await (const { id } of system.auditor.all('donations', { limit: 100 })) {
      for (let endpoint = 0; endpoint <= keys * ENDPOINTS_PER_KEY; endpoint += 1) {
        if (system.webhookCounter.count('donation.created', id, endpoint) > 0) continue;
        missing.push(`donation.created of ${id} to endpoint ${endpoint}`);
      }
    }
    return missing.length
      ? [`${missing.length} events were not delivered, for example ${missing[0]}`]
      : [];
  },
};

/** 75 donations to 200 endpoints are 15,000 deliveries; a short run is a smaller version of it. */
function sizesOf({ runs }: ScenarioRun) {
  return runs >= 100 ? { keys: 10, count: 75 } : { keys: 2, count: 10 };
}

/** Several workers at once, as operators run them; each is killed while it sends. */
async function copiesOf({ plan }: ManagedService): Promise<ManagedService[]> {
  const ports = await freePorts(WORKERS);
  return ports.map((port) => {
    const env = { ...plan.env, API_PORT: String(port) };
    return new ManagedService({ ...plan, env, ready: `http://localhost:${port}/readyz` });
  });
}

async function subscribe(system: SystemUnderTest, key: number): Promise<void> {
  const token = await createKey(system.postgres!.url);
  for (let endpoint = 1; endpoint <= ENDPOINTS_PER_KEY; endpoint += 1) {
    await system.subscribe(token, key * ENDPOINTS_PER_KEY + endpoint);
  }
}

async function waitForAll({ webhookCounter }: SystemUnderTest, expected: number): Promise<void> {
  let last = webhookCounter.unique;
  let since = performance.now();
  while (webhookCounter.unique < expected && performance.now() - since < NO_PROGRESS_MS) {
    await sleep(200);
    if (webhookCounter.unique === last) continue;
    last = webhookCounter.unique;
    since = performance.now();
  }
}
