import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl } from '@connect-embed/api/db/embedded/connection-url';
import { createRandom, type Random } from '@connect-embed/api/db/seed/random';
import { ConnectClient } from '@connect-embed/contract';
import pg from 'pg';
import type Stripe from 'stripe';
import { createCaller } from '../support/api-request.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { startHttpProxy, type HttpProxy } from '../support/http-proxy.ts';
import { openStripe } from '../support/processor.ts';
import { startWebhookCounter, type WebhookCounter } from './support/webhook-counter.ts';
import { Postgres } from './support/postgres.ts';
import { measureRecovery, type RecoveryTime } from './support/recovery-time.ts';
import { ManagedService } from './support/service.ts';
import { planServices, type Ports } from './support/service-plans.ts';
import type { InitialData } from './support/initial-data.ts';

export interface SystemOptions {
  initialData: InitialData;
  seed: number;
  /** Whether the API runs its embedded PostgreSQL, which stops and starts with the API. */
  usesEmbeddedPostgres?: boolean;
  /**
   * Whether a second process delivers webhook events and reconciles, so that the API process only
   * handles requests.
   */
  hasWorker?: boolean;
  /** If false, the processor sends no events and nothing is reconciled. */
  sendsEvents?: boolean;
}

/** What the API has stored about debits and emails. */
export interface StoredPayments {
  /** Ids of the payments that are on their way. */
  onTheirWay: string[];
  /** Queued emails with the payment that each is about. */
  emails: { intentId: string; kind: string }[];
}

const SHIFTED_CLOCK = new URL('support/shifted-clock.ts', import.meta.url).href;
const DONATION_EVENT_TYPES = [
  'donation.created',
  'donation.refunded',
  'donation.disputed',
] as const;

/** Time in which the banks of the sandbox decide about a late debit. */
const DEBIT_SECONDS = 180;

/**
 * The system as in production, each service a process, with functions to break it. The API reaches
 * the processor through a proxy, which can inject a fault at a chosen request.
 */
export class SystemUnderTest {
  readonly random: Random;
  readonly initialData: InitialData;
  /** Undefined if the API runs its embedded PostgreSQL. */
  readonly postgres: Postgres | undefined;
  readonly services: Record<'sandbox' | 'api' | 'server', ManagedService>;
  readonly worker: ManagedService | undefined;
  readonly processorProxy: HttpProxy;
  readonly webhookCounter: WebhookCounter;
  /** The official Stripe client with the platform's key, to read the processor's payments. */
  readonly processor: Stripe;
  readonly auditor: ConnectClient;
  readonly addresses: { api: string; server: string; sandbox: string };
  readonly dataDir: string;
  /** Measured restarts. */
  readonly recoveryTimes: RecoveryTime[] = [];

  static async open(options: SystemOptions): Promise<SystemUnderTest> {
    const [api, worker, server, sandbox, postgres, webhooks] = await freePorts(6);
    const ports = { api, worker, server, sandbox, postgres, webhooks } as Ports;
    const system = new SystemUnderTest(options, ports, {
      dataDir: await options.initialData.copy(),
      processorProxy: await startHttpProxy(`http://localhost:${sandbox}`),
      webhookCounter: await startWebhookCounter(ports.webhooks),
    });
    try {
      await system.postgres?.start();
      // With `sendsEvents: false` the worker must not reconcile before the scenario starts it.
      await system.forEachService((service) =>
        options.sendsEvents === false && service === system.worker
          ? Promise.resolve(0)
          : service.start(),
      );
      await system.subscribe(options.initialData.auditorKey, 0);
      if (options.sendsEvents !== false) await system.#untilDebitsAreOffered();
      return system;
    } catch (error) {
      await system.close();
      throw error;
    }
  }

  private constructor(
    { initialData, seed, usesEmbeddedPostgres, hasWorker, sendsEvents = true }: SystemOptions,
    ports: Ports,
    {
      dataDir,
      processorProxy,
      webhookCounter,
    }: { dataDir: string; processorProxy: HttpProxy; webhookCounter: WebhookCounter },
  ) {
    this.random = createRandom(seed);
    this.initialData = initialData;
    this.processorProxy = processorProxy;
    this.webhookCounter = webhookCounter;
    this.dataDir = dataDir;
    this.postgres = usesEmbeddedPostgres ? undefined : new Postgres(dataDir, ports.postgres);
    const plans = planServices({
      ...{ initialData, ports, dataDir, sendsEvents },
      processorUrl: processorProxy.url,
      hasWorker: hasWorker === true,
      database: this.postgres?.url,
    });
    const { sandbox, api, server } = plans;
    this.services = {
      sandbox: new ManagedService(sandbox),
      api: new ManagedService(api),
      server: new ManagedService(server),
    };
    this.worker = hasWorker ? new ManagedService(plans.worker) : undefined;
    this.addresses = {
      api: `http://localhost:${ports.api}`,
      server: `http://localhost:${ports.server}`,
      sandbox: `http://localhost:${ports.sandbox}`,
    };
    this.processor = openStripe(this.addresses.sandbox);
    const apiBase = `${this.addresses.api}/api/v1`;
    this.auditor = new ConnectClient({ apiBase, token: initialData.auditorKey });
  }

  /** Runs a statement on the database of the API. */
  async #query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client(this.postgres?.url ?? connectionUrl(this.dataDir));
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  readPayments = async (): Promise<StoredPayments> => {
    const rows = await this.#query<{ id: string }>(
      "select id from payment_intent where status = 'processing'",
    );
    const emails = await this.#query<{ intentId: string; kind: string }>(`
      select coalesce(payment_intent_id, donation.processor_payment_intent_id) as "intentId", kind
      from mail left join donation on donation.id = mail.donation_id`);
    return { onTheirWay: rows.map(({ id }) => id), emails };
  };

  /** Waits until the API has read from the processor that the account may use bank debits. */
  async #untilDebitsAreOffered(): Promise<void> {
    await eventually(async () => {
      const [row] = await this.#query<{ payment_method_types: string[] }>(
        'select payment_method_types from processor_account',
      );
      assert.ok(row?.payment_method_types.includes('sepa_debit'));
    });
  }

  /** Starts services that have ended, and measures how long they were unavailable. */
  async restart(...services: ManagedService[]): Promise<void> {
    await this.measure(() => Promise.all(services.map((service) => service.start())));
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
  async setClock(offsetMs: number, ...services: ManagedService[]): Promise<void> {
    await Promise.all(services.map((service) => service.kill()));
    for (const service of services) {
      service.extraEnv = offsetMs
        ? { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) }
        : {};
    }
    await Promise.all(services.map((service) => service.start()));
  }

  /** Injects a fault at the processor from now on: packages/sandbox/src/faults.ts */
  async fault(
    name: string,
    options: { rate?: number; count?: number; ms?: number; path?: string },
  ) {
    await this.control('POST', '/faults', { name, seed: String(this.random.next()), ...options });
  }

  /**
   * Advances the processor's time, so that banks decide about the debits that are processing. The event of a debit may
   * trigger the fault that kills the processor; then the next call completes this.
   */
  async settleDebits(): Promise<void> {
    try {
      await this.control('POST', '/clock', { seconds: DEBIT_SECONDS });
    } catch (error) {
      const isConnectionLost = error instanceof TypeError;
      if (!isConnectionLost) throw error;
    }
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
    const body = { url: this.webhookCounter.url(endpoint), events: DONATION_EVENT_TYPES };
    const response = await call({ path: '/webhooks', body, token });
    if (!response.ok)
      throw new Error(`POST /webhooks: ${response.status} ${await response.text()}`);
  }

  /** Waits until this many more webhook requests have arrived, or for a minute. */
  async waitForWebhooks(count: number): Promise<void> {
    const before = this.webhookCounter.total;
    const until = performance.now() + 60_000;
    while (this.webhookCounter.total < before + count && performance.now() < until) await sleep(5);
  }

  async forEachService(action: (service: ManagedService) => Promise<unknown>): Promise<void> {
    const services = [...Object.values(this.services), ...(this.worker ? [this.worker] : [])];
    await Promise.all(services.map(action));
  }

  /** The latest output of every service, to diagnose failures. */
  latestOutput(): string {
    const services = [...Object.values(this.services), ...(this.worker ? [this.worker] : [])];
    return services.map(({ plan, output }) => `[${plan.name}]\n${output.slice(-3000)}`).join('\n');
  }

  async close(): Promise<void> {
    await this.forEachService((service) => service.end('SIGTERM'));
    await this.postgres?.stop();
    await this.processorProxy.close();
    await this.webhookCounter.close();
  }
}
