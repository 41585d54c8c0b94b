import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectClient } from '@connect-embed/contract';
import { waitUntilReconciled } from '../faults/reconcile.ts';
import { problemsOf } from '../faults/run-scenario.ts';
import { removeOnExit } from '../faults/support/child-cleanup.ts';
import { createKey, createOrganization } from '../faults/support/initial-data.ts';
import { planServices, type Ports } from '../faults/support/service-plans.ts';
import { ManagedService } from '../faults/support/service.ts';
import { startWebhookCounter, type WebhookCounter } from '../faults/support/webhook-counter.ts';
import { createWebhookEndpoint } from '../support/donations.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { openStripe } from '../support/processor.ts';
import { Cluster } from './cluster.ts';
import { Donors } from './donors.ts';

/** Donors at a time. Each has an API key, because a key may send 120 requests a minute. */
const CONCURRENCY = 8;
/** How long the standby receives nothing before the primary is killed. */
const REPLICATION_PAUSE_MS = 1500;

const METRICS_TOKEN = 'a token of this test';

interface FailoverResult {
  figures: string[];
  /** A sentence for each violated expectation. */
  problems: string[];
}

/**
 * Kills the machine of the primary after half of the donations. Before that, the standby receives
 * nothing for a moment: a primary that did not wait for it would lose what it committed meanwhile.
 */
export async function runFailover(donations: number): Promise<FailoverResult> {
  const cluster = await Cluster.create();
  const [api, sandbox, webhooks, unused] = await freePorts(4);
  const webhookCounter = await startWebhookCounter(webhooks!);
  const services: ManagedService[] = [];
  try {
    await cluster.start();
    await createOrganization(cluster.databaseUrl);
    const keys: string[] = [];
    for (let index = 0; index <= CONCURRENCY; index += 1)
      keys.push(await createKey(cluster.databaseUrl));
    const ports = { api, sandbox, webhooks, worker: unused, server: unused, postgres: unused };
    services.push(...(await planConnect(cluster, keys[0]!, ports as Ports)));
    await Promise.all(services.map((service) => service.start()));
    return await donateDuringFailover({
      ...{ cluster, donations, keys, webhookCounter },
      apiBase: `http://localhost:${api}/api/v1`,
      sandboxUrl: `http://localhost:${sandbox}`,
    });
  } catch (cause) {
    const output = services.map(({ plan, output: text }) => `[${plan.name}]\n${text.slice(-3000)}`);
    throw new Error([cluster.latestOutput(), ...output].join('\n'), { cause });
  } finally {
    await Promise.all(services.map((service) => service.end('SIGTERM')));
    await cluster.stop();
    await webhookCounter.close();
  }
}

/**
 * Reads lists until the standby has answered one more of them.
 *
 * @throws {Error} if it does not in a minute
 */
async function untilStandbyAnswers(apiBase: string, apiKey: string): Promise<void> {
  const before = await countStandbyReads(apiBase);
  const headers = { authorization: `Bearer ${apiKey}` };
  await eventually(async () => {
    await sleep(1000); // A key may send 120 requests a minute.
    await fetch(`${apiBase}/donations`, { headers });
    if ((await countStandbyReads(apiBase)) === before)
      throw new Error('The standby answers no reads.');
  });
}

async function countStandbyReads(apiBase: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(new URL('/metrics', apiBase), { headers })).text();
  const [, count = '0'] =
    /^connect_replica_reads_total\{database="replica"\} (\d+)$/m.exec(metrics) ?? [];
  return Number(count);
}

async function planConnect(cluster: Cluster, serverKey: string, ports: Ports) {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-failover-services-'));
  removeOnExit(dataDir);
  const processorUrl = `http://localhost:${ports.sandbox}`;
  const plans = planServices({
    ...{ initialData: { serverKey }, ports, dataDir, database: cluster.databaseUrl, processorUrl },
  });
  const env = {
    ...plans.api.env,
    DATABASE_REPLICA_URL: cluster.replicaUrl,
    METRICS_TOKEN,
  };
  return [new ManagedService(plans.sandbox), new ManagedService({ ...plans.api, env })];
}

async function donateDuringFailover(system: {
  cluster: Cluster;
  donations: number;
  keys: readonly string[];
  webhookCounter: WebhookCounter;
  apiBase: string;
  sandboxUrl: string;
}): Promise<FailoverResult> {
  const { cluster, donations, keys, webhookCounter, apiBase, sandboxUrl } = system;
  const [auditorKey, ...donorKeys] = keys as [string, ...string[]];
  await createWebhookEndpoint(
    { api_base: apiBase, api_key: auditorKey, sandbox: sandboxUrl },
    webhookCounter.url(),
  );
  const started = performance.now();
  const donors = new Donors({ donations, apiBase, sandboxUrl, keys: donorKeys });
  await donors.half;
  const perSecond = donors.finished.length / ((performance.now() - started) / 1000);

  const former = await cluster.findPrimary();
  await former.pauseReplication();
  await sleep(REPLICATION_PAUSE_MS);
  const visible = await former.query('select id from donation');
  await former.kill();
  const killed = performance.now();
  const primary = await cluster.findPrimary(former);
  const promotedAfterMs = performance.now() - killed;
  const before = donors.finished.length;

  const attempts = await donors.all;
  const { comparison, seconds } = await waitUntilReconciled(
    {
      auditor: new ConnectClient({ apiBase, token: auditorKey }),
      processor: openStripe(sandboxUrl),
      webhookCounter,
    },
    attempts,
  );
  const stored = new Set(await primary.query('select id from donation'));
  const lost = visible.filter((id) => !stored.has(id));
  former.start();
  await cluster.waitForStandby(primary);
  const copied = await former.query('select id from donation');
  await untilStandbyAnswers(apiBase, auditorKey);

  const unpaid = attempts.filter(({ outcome }) => outcome !== 'paid');
  const longestWait = Math.max(...attempts.map(({ waitedMs }) => waitedMs));
  return {
    figures: [
      `${CONCURRENCY} donors at a time made ${perSecond.toFixed(0)} donations a second before the failure.`,
      `${former.name} was killed after ${visible.length} donations; ${primary.name} took over after ` +
        `${(promotedAfterMs / 1000).toFixed(1)} s, when ${before} donors had their result.`,
      `${comparison.donations} donations charged ${comparison.chargedCents} cents; ${stored.size} donations with ` +
        `${comparison.recordedCents} cents are in the new primary, ${seconds.toFixed(1)} s after the last donor.`,
      `${comparison.lost.length} lost, ${comparison.chargedTwice.length} charged twice, ` +
        `${lost.length} of ${visible.length} committed before the failure are missing.`,
      `${former.name} came back as the standby and answers reads.`,
      `The longest wait of a donor was ${(longestWait / 1000).toFixed(1)} s.`,
    ],
    problems: [
      ...problemsOf({ comparison, donors: donations }),
      ...(unpaid.length > 0 ? [`${unpaid.length} donors did not donate`] : []),
      ...(stored.size === donations ? [] : [`the new primary has ${stored.size} donations`]),
      ...(lost.length > 0
        ? [`the new primary lost ${lost.length} donations, such as ${lost[0]}`]
        : []),
      ...(copied.length === stored.size
        ? []
        : [`${former.name} came back with ${copied.length} donations`]),
    ],
  };
}
