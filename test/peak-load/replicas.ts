import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { ManagedService, type ServicePlan } from '../faults/support/service.ts';

/** Several processes of one service behind a load balancer, as a proxy in production is. */
export class Replicas {
  readonly url: string;
  readonly services: readonly ManagedService[];
  /** Addresses of the processes themselves. */
  readonly addresses: readonly string[];
  readonly #ports: readonly number[];
  readonly #balancerPort: number;
  readonly #balancer: Server;
  /** Ports of the processes that get new connections. */
  readonly #targets: number[] = [];
  #next = 0;

  /**
   * @param planOf the plan of the process on a port
   */
  constructor(
    balancerPort: number,
    ports: readonly number[],
    planOf: (port: number, index: number) => ServicePlan,
  ) {
    this.url = `http://localhost:${balancerPort}`;
    this.addresses = ports.map((port) => `http://localhost:${port}`);
    this.#ports = ports;
    this.#balancerPort = balancerPort;
    this.services = ports.map((port, index) => new ManagedService(planOf(port, index)));
    this.#balancer = createServer((client) => this.#forward(client));
  }

  async start(): Promise<void> {
    this.#balancer.listen(this.#balancerPort, '127.0.0.1');
    await once(this.#balancer, 'listening');
    await Promise.all(this.services.map((_, index) => this.#startReplica(index)));
  }

  /** Kills the first process, and starts it again, as a supervisor does. */
  async killFirst(): Promise<void> {
    await this.services[0]!.kill();
    await this.#startReplica(0);
  }

  /** Replaces one process after the other. The balancer sends no new connection to one that stops. */
  async restartInTurn(): Promise<void> {
    for (const [index, service] of this.services.entries()) {
      this.#targets.splice(this.#targets.indexOf(this.#ports[index]!), 1);
      await service.end('SIGTERM');
      await this.#startReplica(index);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.end('SIGTERM')));
    this.#balancer.close();
  }

  async #startReplica(index: number): Promise<void> {
    await this.services[index]!.start();
    const port = this.#ports[index]!;
    if (!this.#targets.includes(port)) this.#targets.push(port);
  }

  /** Connects a client to the next process that accepts the connection. */
  #forward(client: Socket, attempts = this.#targets.length): void {
    if (attempts === 0) return void client.destroy();
    const port = this.#targets[this.#next++ % this.#targets.length]!;
    const upstream = connect(port, '127.0.0.1');
    const onRefused = () => this.#forward(client, attempts - 1);
    upstream.once('error', onRefused);
    upstream.once('connect', () => {
      upstream.off('error', onRefused).on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.end()); // Sends what has arrived before.
      client.pipe(upstream).pipe(client);
    });
  }
}
