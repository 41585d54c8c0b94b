import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectClient } from '@connect-embed/contract';
import Stripe from 'stripe';
import { createCaller } from '../support/api-request.ts';
import { freePorts } from '../support/free-ports.ts';
import { startWebhookCounter, type WebhookCounter } from './support/webhook-counter.ts';
import { Postgres } from './support/postgres.ts';
import { measureRecovery, type RecoveryTime } from './support/recovery-time.ts';
import { SeededRandom } from './support/seeded-random.ts';
import { ManagedService } from './support/service.ts';
import { planServices, type Ports } from './support/service-plans.ts';
import type { DataTemplate } from './support/data-template.ts';
import { startProcessorProxy, type ProcessorProxy } from './support/processor-proxy.ts';

export interface WorldOptions {
  template: DataTemplate;
  seed: number;
  /** The API runs its embedded PostgreSQL, which stops and starts with it. */
  embedded?: boolean;
  /** A second process delivers webhook events and reconciles; the API process only serves. */
  worker?: boolean;
  /** If false, the processor sends no events and nothing is reconciled. */
  reports?: boolean;
}

const CLOCK = new URL('support/shifted-clock.ts', import.meta.url).href;
const NOTICES = ['donation.created', 'donation.refunded', 'donation.disputed'] as const;

/**
 * The system as in production, each service a process, with functions to break it. The API reaches
 * the processor through a proxy, which can inject a fault at a chosen request.
 */
export class TestWorld {
  readonly random: SeededRandom;
  readonly template: DataTemplate;
  /** Undefined if the API runs its embedded PostgreSQL. */
  readonly postgres: Postgres | undefined;
  readonly services: Record<'sandbox' | 'api' | 'server', ManagedService>;
  readonly worker: ManagedService | undefined;
  readonly processorProxy: ProcessorProxy;
  readonly webhookCounter: WebhookCounter;
  /** The official Stripe client with the platform's key, to read the processor's payments. */
  readonly processor: Stripe;
  readonly auditor: ConnectClient;
  readonly addresses: { api: string; server: string; sandbox: string };
  readonly dataDir: string;
  /** Measured restarts. */
  readonly recoveryTimes: RecoveryTime[] = [];

  static async open(options: WorldOptions): Promise<TestWorld> {
    const [api, worker, server, sandbox, postgres, notices] = await freePorts(6);
    const ports = { api, worker, server, sandbox, postgres, notices } as Ports;
    const world = new TestWorld(options, ports, {
      dataDir: await options.template.copy(),
      wire: await startProcessorProxy(`http://localhost:${sandbox}`),
      notices: await startWebhookCounter(ports.notices),
    });
    try {
      await world.postgres?.start();
      // With `reports: false` the worker must not reconcile before the scenario starts it.
      await world.all((service) =>
        options.reports === false && service === world.worker
          ? Promise.resolve(0)
          : service.start(),
      );
      await world.subscribe(options.template.auditorKey, 0);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  private constructor(
    { template, seed, embedded, worker, reports = true }: WorldOptions,
    ports: Ports,
    { dataDir, wire, notices }: { dataDir: string; wire: ProcessorProxy; notices: WebhookCounter },
  ) {
    this.random = new SeededRandom(seed);
    this.template = template;
    this.processorProxy = wire;
    this.webhookCounter = notices;
    this.dataDir = dataDir;
    this.postgres = embedded ? undefined : new Postgres(dataDir, ports.postgres);
    const place = { template, ports, dataDir, wire: wire.url, worker: worker === true, reports };
    const plans = planServices({ ...place, database: this.postgres?.url });
    const { sandbox, api, server } = plans;
    this.services = {
      sandbox: new ManagedService(sandbox),
      api: new ManagedService(api),
      server: new ManagedService(server),
    };
    this.worker = worker ? new ManagedService(plans.worker) : undefined;
    this.addresses = {
      api: `http://localhost:${ports.api}`,
      server: `http://localhost:${ports.server}`,
      sandbox: `http://localhost:${ports.sandbox}`,
    };
    this.processor = openStripe(this.addresses.sandbox, 'sk_test_sandbox');
    const apiBase = `${this.addresses.api}/api/v1`;
    this.auditor = new ConnectClient({ apiBase, token: template.auditorKey });
  }

  /** Starts services that have ended, and measures how long they were unavailable. */
  async restart(...rooms: ManagedService[]): Promise<void> {
    await this.measure(() => Promise.all(rooms.map((service) => service.start())));
  }

  /** Restarts the API repeatedly without traffic. */
  async restartWhenIdle(times: number): Promise<void> {
    for (let index = 0; index < times; index += 1) {
      await this.services.api.kill();
      await this.restart(this.services.api);
    }
  }

  async measure(recover: () => Promise<unknown>): Promise<void> {
    this.recoveryTimes.push(await measureRecovery(recover));
  }

  /** Restarts services with their clock shifted; 0 restores the correct time. */
  async setClock(offsetMs: number, ...rooms: ManagedService[]): Promise<void> {
    await Promise.all(rooms.map((service) => service.kill()));
    for (const service of rooms) {
      service.extraEnv = offsetMs
        ? { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) }
        : {};
    }
    await Promise.all(rooms.map((service) => service.start()));
  }

  /** Injects a fault at the processor from now on: packages/sandbox/src/faults.ts */
  async fault(name: string, how: { rate?: number; count?: number; ms?: number; path?: string }) {
    await this.control('POST', '/faults', { name, seed: String(this.random.next()), ...how });
  }

  faultsOff = () => this.control('DELETE', '/faults', {});

  async control(method: string, path: string, body?: object): Promise<void> {
    const call = createCaller(`${this.addresses.sandbox}/sandbox`);
    const response = await call({ method, path, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  /** Creates a webhook endpoint for donation events. */
  async subscribe(token: string, endpoint: number): Promise<void> {
    const call = createCaller(`${this.addresses.api}/api/v1`);
    const body = { url: this.webhookCounter.url(endpoint), events: NOTICES };
    const response = await call({ path: '/webhooks', body, token });
    if (!response.ok)
      throw new Error(`POST /webhooks: ${response.status} ${await response.text()}`);
  }

  /** Waits until this many more webhook requests have arrived, or for a minute. */
  async waitForWebhooks(count: number): Promise<void> {
    const from = this.webhookCounter.total;
    const until = performance.now() + 60_000;
    while (this.webhookCounter.total < from + count && performance.now() < until) await sleep(5);
  }

  async all(act: (service: ManagedService) => Promise<unknown>): Promise<void> {
    const rooms = [...Object.values(this.services), ...(this.worker ? [this.worker] : [])];
    await Promise.all(rooms.map(act));
  }

  /** The latest output of every service, to diagnose failures. */
  outputOf(): string {
    const rooms = [...Object.values(this.services), ...(this.worker ? [this.worker] : [])];
    return rooms.map(({ plan, said }) => `[${plan.name}]\n${said.slice(-3000)}`).join('\n');
  }

  async close(): Promise<void> {
    await this.all((service) => service.end('SIGTERM'));
    await this.postgres?.stop();
    await this.processorProxy.close();
    await this.webhookCounter.close();
  }
}

/** Creates the official Stripe client without retries, so that every response is visible. */
export function openStripe(address: string, key: string): Stripe {
  const { hostname, port } = new URL(address);
  const options = { host: hostname, port, protocol: 'http' } as const;
  return new Stripe(key, { ...options, maxNetworkRetries: 0, telemetry: false });
}
