import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@connect-embed/api/db/seed/random';
import { ConnectClient } from '@connect-embed/contract';
import { waitUntilReconciled, type Comparison } from '../faults/reconcile.ts';
import { eventually } from '../support/eventually.ts';
import { openBrowserStripe, openStripe } from '../support/processor.ts';
import { donate, type PeakDonation } from './donor.ts';
import { simulateBrowser } from './form-client.ts';
import type { LoadPlan } from './load-plan.ts';
import { measurePageRequests, PageViews, type PageRequestCost } from './page-requests.ts';
import { openSystem, type PeakSystem } from './system.ts';

/** How long donors are waited for, as a multiple of the time in which they arrive. */
const MAX_DURATIONS = 4;
const PROGRESS_INTERVAL_MS = 10_000;

/** When the processor was down. Times are milliseconds of `performance.now()`. */
export interface Outage {
  from: number;
  to: number;
}

export interface PeakResult {
  donations: PeakDonation[];
  outage: Outage;
  /** Of each organization, with the number of its donors. */
  comparisons: { comparison: Comparison; donors: number }[];
  reconciledAfterSeconds: number;
  pageRequests: PageRequestCost[];
  pageViews: ReturnType<PageViews['stop']>;
}

type Log = (line: string) => void;

/** Sends the load of the plan, kills and restarts processes meanwhile, and compares the records. */
export async function runPeakLoad(plan: LoadPlan, log: Log): Promise<PeakResult> {
  log(`Starting PostgreSQL and the processes, and creating ${plan.organizations} organizations.`);
  const system = await openSystem(plan);
  try {
    simulateBrowser(system.server.url);
    log('Measuring what one core serves of the requests of a page.');
    const { account: form } = system.organizations[0]!;
    const pageRequests = await measurePageRequests(system.server.addresses[0]!, form);
    const pageViews = new PageViews(system.server.url, pageRequests, plan.pageRequestsPerSecond);
    const faults = injectFaults(plan, system, log);
    const donations = await sendDonors(plan, system, log);
    const outage = await faults;
    const load = pageViews.stop();
    log('All donors have finished. Comparing donations with payments.');
    return {
      ...{ donations, outage, pageRequests, pageViews: load },
      ...(await reconcile(system, donations)),
    };
  } catch (cause) {
    throw new Error(system.latestOutput(), { cause });
  } finally {
    await system.stop();
  }
}

/** Kills a process, stops the processor for a while, and deploys by a rolling restart. */
async function injectFaults(plan: LoadPlan, system: PeakSystem, log: Log): Promise<Outage> {
  const started = performance.now();
  const until = (second: number) => sleepUntil(started + second * 1000);
  await until(plan.killAt);
  log('An API process is killed.');
  await system.api.killFirst();
  await until(plan.outageAt);
  log(`The processor is down for ${plan.outageSeconds} s.`);
  await system.sandbox.kill();
  const from = performance.now();
  await sleep(plan.outageSeconds * 1000);
  await system.sandbox.start();
  const to = performance.now();
  await until(plan.deployAt);
  log('Deploying: each process is replaced, one after the other.');
  await system.api.restartInTurn();
  await system.server.restartInTurn();
  log('Deployed.');
  return { from, to };
}

const sleepUntil = (time: number) => sleep(Math.max(0, time - performance.now()));

/** Lets donors arrive at a constant rate, and waits until each of them has a result. */
async function sendDonors(
  { donationsPerSecond, seconds }: LoadPlan,
  { organizations, server, sandboxUrl }: PeakSystem,
  log: Log,
): Promise<PeakDonation[]> {
  const random = createRandom(1);
  const browser = openBrowserStripe(sandboxUrl);
  const started = performance.now();
  const until = started + seconds * MAX_DURATIONS * 1000;
  const attempts: Promise<PeakDonation>[] = [];
  let paid = 0;
  const progress = setInterval(() => {
    const elapsed = ((performance.now() - started) / 1000).toFixed(0);
    log(`${elapsed} s: ${attempts.length} donors, ${paid} have paid.`);
  }, PROGRESS_INTERVAL_MS);
  try {
    for (let index = 0; index < donationsPerSecond * seconds; index += 1) {
      await sleepUntil(started + (index / donationsPerSecond) * 1000);
      const form = organizations[index % organizations.length]!.account;
      const context = { server: server.url, form, browser, until };
      const attempt = donate(context, random.integer(100, 90_000));
      attempts.push(attempt);
      attempt.then(
        ({ outcome }) => (paid += Number(outcome === 'paid')),
        () => {},
      );
    }
    return await Promise.all(attempts);
  } finally {
    clearInterval(progress);
  }
}

/**
 * Compares the records of one organization after the other, because the processor accepts few
 * requests a second of the comparison, too.
 */
async function reconcile(system: PeakSystem, donations: readonly PeakDonation[]) {
  const started = performance.now();
  const { organizations, api, sandboxUrl, webhookCounter } = system;
  const processor = openStripe(sandboxUrl);
  const comparisons: PeakResult['comparisons'] = [];
  for (const [index, { account, auditorKey }] of organizations.entries()) {
    const auditor = new ConnectClient({ apiBase: `${api.url}/api/v1`, token: auditorKey });
    const own = donations.filter((_, position) => position % organizations.length === index);
    const compared = { auditor, processor, webhookCounter, account };
    const { comparison } = await eventually(() => waitUntilReconciled(compared, own));
    comparisons.push({ comparison, donors: own.length });
  }
  return { comparisons, reconciledAfterSeconds: (performance.now() - started) / 1000 };
}
