import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectClient } from '@connect-embed/contract';
import Stripe from 'stripe';
import { caller } from '../support/call.ts';
import { freePorts } from '../support/free-ports.ts';
import { openNotices, type Notices } from './support/notices.ts';
import { Postgres } from './support/postgres.ts';
import { timeToServe, type Back } from './support/back.ts';
import { Random } from './support/random.ts';
import { Room } from './support/room.ts';
import { planRooms, type Ports } from './support/rooms.ts';
import type { Template } from './support/template.ts';
import { openWire, type Wire } from './support/wire.ts';

export interface WorldOptions {
  template: Template;
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
export class World {
  readonly random: Random;
  readonly template: Template;
  /** Undefined where it is the API's own. */
  readonly postgres: Postgres | undefined;
  readonly rooms: Record<'sandbox' | 'api' | 'server', Room>;
  readonly worker: Room | undefined;
  readonly wire: Wire;
  readonly notices: Notices;
  /** The official client, with the platform's key: the processor's books. */
  readonly processor: Stripe;
  readonly auditor: ConnectClient;
  readonly addresses: { api: string; server: string; sandbox: string };
  readonly dataDir: string;
  /** How long it took until those that had ended served again. */
  readonly back: Back[] = [];

  static async open(options: WorldOptions): Promise<World> {
    const [api, worker, server, sandbox, postgres, notices] = await freePorts(6);
    const ports = { api, worker, server, sandbox, postgres, notices } as Ports;
    const world = new World(options, ports, {
      dataDir: await options.template.copy(),
      wire: await openWire(`http://localhost:${sandbox}`),
      notices: await openNotices(ports.notices),
    });
    try {
      await world.postgres?.start();
      // Without reports nobody may reconcile before the scenario says so.
      await world.all((room) =>
        options.reports === false && room === world.worker ? Promise.resolve(0) : room.start(),
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
    { dataDir, wire, notices }: { dataDir: string; wire: Wire; notices: Notices },
  ) {
    this.random = new Random(seed);
    this.template = template;
    this.wire = wire;
    this.notices = notices;
    this.dataDir = dataDir;
    this.postgres = embedded ? undefined : new Postgres(dataDir, ports.postgres);
    const place = { template, ports, dataDir, wire: wire.url, worker: worker === true, reports };
    const plans = planRooms({ ...place, database: this.postgres?.url });
    const { sandbox, api, server } = plans;
    this.rooms = { sandbox: new Room(sandbox), api: new Room(api), server: new Room(server) };
    this.worker = worker ? new Room(plans.worker) : undefined;
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
  async restart(...rooms: Room[]): Promise<void> {
    await this.measure(() => Promise.all(rooms.map((room) => room.start())));
  }

  /** Ends and starts the API so often while nobody asks anything of it. */
  async startInCalm(times: number): Promise<void> {
    for (let nth = 0; nth < times; nth += 1) {
      await this.rooms.api.kill();
      await this.restart(this.rooms.api);
    }
  }

  async measure(recover: () => Promise<unknown>): Promise<void> {
    this.back.push(await timeToServe(recover));
  }

  /** Ends rooms and starts them with another clock: 0 is the right one. */
  async setClock(offsetMs: number, ...rooms: Room[]): Promise<void> {
    await Promise.all(rooms.map((room) => room.kill()));
    for (const room of rooms) {
      room.settings = offsetMs
        ? { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) }
        : {};
    }
    await Promise.all(rooms.map((room) => room.start()));
  }

  /** Something goes wrong at the processor from now on: packages/sandbox/src/faults.ts */
  async fault(name: string, how: { rate?: number; count?: number; ms?: number; path?: string }) {
    await this.control('POST', '/faults', { name, seed: String(this.random.next()), ...how });
  }

  faultsOff = () => this.control('DELETE', '/faults', {});

  async control(method: string, path: string, body?: object): Promise<void> {
    const call = caller(`${this.addresses.sandbox}/sandbox`);
    const answer = await call({ method, path, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  /** Asks the API to tell an address of every gift, as a platform would. */
  async subscribe(token: string, endpoint: number): Promise<void> {
    const call = caller(`${this.addresses.api}/api/v1`);
    const body = { url: this.notices.url(endpoint), events: NOTICES };
    const answer = await call({ path: '/webhooks', body, token });
    if (!answer.ok) throw new Error(`POST /webhooks: ${answer.status} ${await answer.text()}`);
  }

  /** Waits until so many notices more have come in, but not for ever. */
  async arrival(count: number): Promise<void> {
    const from = this.notices.total;
    const until = performance.now() + 60_000;
    while (this.notices.total < from + count && performance.now() < until) await sleep(5);
  }

  async all(act: (room: Room) => Promise<unknown>): Promise<void> {
    const rooms = [...Object.values(this.rooms), ...(this.worker ? [this.worker] : [])];
    await Promise.all(rooms.map(act));
  }

  /** What every room wrote last, for who has to find out what went wrong. */
  said(): string {
    const rooms = [...Object.values(this.rooms), ...(this.worker ? [this.worker] : [])];
    return rooms.map(({ plan, said }) => `[${plan.name}]\n${said.slice(-3000)}`).join('\n');
  }

  async close(): Promise<void> {
    await this.all((room) => room.end('SIGTERM'));
    await this.postgres?.stop();
    await this.wire.close();
    await this.notices.close();
  }
}

/** The official client; no retries of its own, so that every answer is seen. */
export function openStripe(address: string, key: string): Stripe {
  const { hostname, port } = new URL(address);
  const options = { host: hostname, port, protocol: 'http' } as const;
  return new Stripe(key, { ...options, maxNetworkRetries: 0, telemetry: false });
}
