import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.ts';
import type { Scenario, ScenarioRun } from '../scenario.ts';
import { Donor } from '../support/donor.ts';
import { ManagedService } from '../support/service.ts';
import { createKey } from '../support/data-template.ts';
import type { TestWorld } from '../world.ts';

/** The API allows 20 webhook endpoints per credential. */
const ENDPOINTS_PER_KEY = 20;
/** Response time of the receiver; long enough that many deliveries are in progress at any moment. */
const ANSWER_MS = 100;
const WORKERS = 4;
/** Longer than the lock of a killed worker's deliveries, which expires after half a minute. */
const NO_PROGRESS_MS = 120_000;

/** Creates all deliveries first, and then kills the worker repeatedly while it sends them. */
export const workerKilled: Scenario = {
  name: 'worker killed mid-delivery',
  faults: 'SIGKILL to the worker while its notices are on the way to many receivers',
  runs: { long: 200, short: 4 },
  world: { worker: true },
  async run(world, scene) {
    const { runs, donations, figures, progress } = scene;
    const worker = world.worker!;
    await worker.kill();
    const { keys, count } = sizesOf(scene);
    for (let key = 0; key < keys; key += 1) await subscribe(world, key);
    for (let donated = 0; donated < count; donated += 5) {
      const donors = Array.from({ length: Math.min(5, count - donated) }, () => new Donor(world));
      donations.push(...(await Promise.all(donors.map((donor) => donor.give()))));
    }
    world.webhookCounter.delayMs = ANSWER_MS;
    let done = 0;
    const runWorker = async (service: ManagedService) => {
      while (done < runs) {
        progress((done += 1));
        await world.restart(service);
        await world.waitForWebhooks(world.random.between(1, 40));
        await service.kill();
      }
    };
    await Promise.all((await workersLike(worker)).map(runWorker));
    await world.restart(worker);
    const expected = count * (keys * ENDPOINTS_PER_KEY + 1);
    await waitForAll(world, expected);
    const { unique, total } = world.webhookCounter;
    const resent = total - unique;
    figures.push(
      `${runs} kills over ${expected} deliveries: ${expected - unique} lost, ${resent} sent again`,
    );
  },
  async check(world, scene) {
    const missing: string[] = [];
    const { keys } = sizesOf(scene);
    for await (const { id } of world.auditor.all('donations', { limit: 100 })) {
      for (let endpoint = 0; endpoint <= keys * ENDPOINTS_PER_KEY; endpoint += 1) {
        if (world.webhookCounter.count('donation.created', id, endpoint) > 0) continue;
        missing.push(`donation.created of ${id} at receiver ${endpoint}`);
      }
    }
    return missing.length ? [`${missing.length} never delivered, such as ${missing[0]}`] : [];
  },
};

/** 75 donations to 200 endpoints are 15,000 deliveries; a short run is a smaller version of it. */
function sizesOf({ runs }: ScenarioRun) {
  return runs >= 100 ? { keys: 10, count: 75 } : { keys: 2, count: 10 };
}

/** Several workers at once, as operators run them; each is killed while it sends. */
async function workersLike({ plan }: ManagedService): Promise<ManagedService[]> {
  const ports = await freePorts(WORKERS);
  return ports.map((port) => {
    const env = { ...plan.env, API_PORT: String(port) };
    return new ManagedService({ ...plan, env, ready: `http://localhost:${port}/readyz` });
  });
}

async function subscribe(world: TestWorld, key: number): Promise<void> {
  const token = await createKey(world.postgres!.url);
  for (let endpoint = 1; endpoint <= ENDPOINTS_PER_KEY; endpoint += 1) {
    await world.subscribe(token, key * ENDPOINTS_PER_KEY + endpoint);
  }
}

async function waitForAll({ webhookCounter }: TestWorld, expected: number): Promise<void> {
  let last = webhookCounter.unique;
  let since = performance.now();
  while (webhookCounter.unique < expected && performance.now() - since < NO_PROGRESS_MS) {
    await sleep(200);
    if (webhookCounter.unique === last) continue;
    last = webhookCounter.unique;
    since = performance.now();
  }
}
