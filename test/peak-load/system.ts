import { createInitialData } from '../faults/support/initial-data.ts';
import { Postgres } from '../faults/support/postgres.ts';
import { planServices, type Ports } from '../faults/support/service-plans.ts';
import { ManagedService } from '../faults/support/service.ts';
import { startWebhookCounter, type WebhookCounter } from '../faults/support/webhook-counter.ts';
import { createWebhookEndpoint } from '../support/donations.ts';
import { freePorts } from '../support/free-ports.ts';
import type { LoadPlan } from './load-plan.ts';
import { createOrganizations, writeServerConfig, type Organization } from './organizations.ts';
import { Replicas } from './replicas.ts';

/** Of the servers: their CPU time is among the metrics. */
export const METRICS_TOKEN = 'reads the metrics';

/** Two API processes, two BFF processes, one PostgreSQL, and the sandbox with Stripe's limit. */
export interface PeakSystem {
  organizations: Organization[];
  api: Replicas;
  server: Replicas;
  sandbox: ManagedService;
  sandboxUrl: string;
  webhookCounter: WebhookCounter;
  /** The latest output of every process, to diagnose a failure. */
  latestOutput(): string;
  stop(): Promise<void>;
}

export async function openSystem(plan: LoadPlan): Promise<PeakSystem> {
  const initialData = await createInitialData();
  const dataDir = await initialData.copy();
  const [api, server, sandboxPort, webhooks, database, ...processes] = await freePorts(9);
  const postgres = new Postgres(dataDir, database!);
  await postgres.start();
  const organizations = await createOrganizations(postgres.url, plan.organizations);
  const ports = { api, server, webhooks, sandbox: sandboxPort, postgres: database, worker: 0 };
  const plans = planServices({
    ...{ initialData, dataDir, ports: ports as Ports, database: postgres.url },
    processorUrl: `http://localhost:${sandboxPort}`,
  });
  const requestsPerSecond = String(plan.stripeRequestsPerSecond);
  const apis = new Replicas(api!, processes.slice(0, 2), (port, index) => ({
    ...plans.api,
    name: `api ${index + 1}`,
    env: {
      ...plans.api.env,
      API_PORT: String(port),
      STRIPE_REQUESTS_PER_SECOND: requestsPerSecond,
    },
    ready: `http://localhost:${port}/readyz`,
  }));
  const config = await writeServerConfig(dataDir, organizations, `${apis.url}/api/v1`);
  const servers = new Replicas(server!, processes.slice(2), (port, index) => ({
    ...plans.server,
    name: `server ${index + 1}`,
    env: {
      ...plans.server.env,
      SERVER_PORT: String(port),
      CONNECT_CONFIG: config,
      METRICS_TOKEN,
    },
    ready: `http://localhost:${port}/readyz`,
  }));
  const sandbox = new ManagedService(plans.sandbox);
  sandbox.extraEnv = { SANDBOX_REQUESTS_PER_SECOND: requestsPerSecond };
  const webhookCounter = await startWebhookCounter(webhooks!);
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  await sandbox.start();
  await apis.start();
  await servers.start();
  for (const { auditorKey } of organizations) {
    const access = { api_base: `${apis.url}/api/v1`, api_key: auditorKey, sandbox: sandboxUrl };
    await createWebhookEndpoint(access, webhookCounter.url());
  }
  const services = [...apis.services, ...servers.services, sandbox];
  return {
    ...{ organizations, api: apis, server: servers, sandbox, sandboxUrl, webhookCounter },
    latestOutput: () =>
      services.map(({ plan: { name }, output }) => `[${name}]\n${output.slice(-3000)}`).join('\n'),
    stop: async () => {
      await servers.stop();
      await apis.stop();
      await sandbox.end('SIGTERM');
      await postgres.stop();
      await webhookCounter.close();
    },
  };
}
