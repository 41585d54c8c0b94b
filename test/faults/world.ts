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
  /** The database is the API's own, and dies and comes back with it. */
  embedded?: boolean;
  /** A second process delivers notices and reconciles; the first only answers. */
  worker?: boolean;
  /** False: the processor keeps its events to itself, and nobody reconciles. */
  reports?: boolean;
}

const CLOCK = new URL('support/shifted-clock.ts', import.meta.url).href;
const NOTICES = ['donation.created', 'donation.refunded', 'donation.disputed'] as const;

/**
 * The house as it runs in production, each room a process of its own, and what can be done to it.
 * The API reaches the processor through a wire on which a fault can strike at a chosen moment.
 */
export class TestWorld {
  readonly random: SeededRandom;
  readonly template: DataTemplate;
  /** Undefined where it is the API's own. */
  readonly postgres: Postgres | undefined;
  readonly services: Record<'sandbox' | 'api' | 'server', ManagedService>;
  readonly worker: ManagedService | undefined;
  readonly processorProxy: ProcessorProxy;
  readonly webhookCounter: WebhookCounter;
  /** The official client, with the platform's key: the processor's books. */
  readonly processor: Stripe;
  readonly auditor: ConnectClient;
  readonly addresses: { api: string; server: string; sandbox: string };
  readonly dataDir: string;
  /** How long it took until those that had ended served again. */
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
      // Without reports nobody may reconcile before the scenario says so.
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

  /** Starts rooms that have ended, and notes how long nobody could be served. */
  async restart(...rooms: ManagedService[]): Promise<void> {
    await this.measure(() => Promise.all(rooms.map((service) => service.start())));
  }

  /** Ends and starts the API so often while nobody asks anything of it. */
  async restartWhenIdle(times: number): Promise<void> {
    for (let index = 0; index < times; index += 1) {
      await this.services.api.kill();
      await this.restart(this.services.api);
    }
  }

  async measure(recover: () => Promise<unknown>): Promise<void> {
    this.recoveryTimes.push(await measureRecovery(recover));
  }

  /** Ends rooms and starts them with another clock: 0 is the right one. */
  async setClock(offsetMs: number, ...rooms: ManagedService[]): Promise<void> {
    await Promise.all(rooms.map((service) => service.kill()));
    for (const service of rooms) {
      service.extraEnv = offsetMs
        ? { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) }
        : {};
    }
    await Promise.all(rooms.map((service) => service.start()));
  }

  /** Something goes wrong at the processor from now on: packages/sandbox/src/faults.ts */
  async fault(name: string, how: { rate?: number; count?: number; ms?: number; path?: string }) {
    await this.control('POST', '/faults', { name, seed: String(this.random.next()), ...how });
  }

  faultsOff = () => this.control('DELETE', '/faults', {});

  async control(method: string, path: string, body?: object): Promise<void> {
    const call = createCaller(`${this.addresses.sandbox}/sandbox`);
    const response = await call({ method, path, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  /** Asks the API to tell an address of every gift, as a platform would. */
  async subscribe(token: string, endpoint: number): Promise<void> {
    const call = createCaller(`${this.addresses.api}/api/v1`);
    const body = { url: this.webhookCounter.url(endpoint), events: NOTICES };
    const response = await call({ path: '/webhooks', body, token });
    if (!response.ok)
      throw new Error(`POST /webhooks: ${response.status} ${await response.text()}`);
  }

  /** Waits until so many notices more have come in, but not for ever. */
  async waitForWebhooks(count: number): Promise<void> {
    const from = this.webhookCounter.total;
    const until = performance.now() + 60_000;
    while (this.webhookCounter.total < from + count && performance.now() < until) await sleep(5);
  }

  async all(act: (service: ManagedService) => Promise<unknown>): Promise<void> {
    const rooms = [...Object.values(this.services), ...(this.worker ? [this.worker] : [])];
    await Promise.all(rooms.map(act));
  }

  /** What every room wrote last, for who has to find out what went wrong. */
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

/** The official client; no retries of its own, so that every answer is seen. */
export function openStripe(address: string, key: string): Stripe {
  const { hostname, port } = new URL(address);
  const options = { host: hostname, port, protocol: 'http' } as const;
  return new Stripe(key, { ...options, maxNetworkRetries: 0, telemetry: false });
}
