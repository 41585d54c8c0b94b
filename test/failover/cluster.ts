import { chown, copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { removeOnExit } from '../faults/support/child-cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { Machine, psql } from './machine.ts';
import { Program, programUser } from './programs.ts';

/** The reference configuration. Only addresses, folders and passwords are overridden. */
const DEPLOY = join(import.meta.dirname, '../../deploy/failover');
const PASSWORDS = { superuser: 'superuser', replication: 'replication', connect: 'connect' };
const TIMEOUT_MS = 90_000;

const local = (port: number) => `127.0.0.1:${port}`;

/**
 * The set-up of deploy/failover on ports of this machine: two PostgreSQL machines under Patroni, a
 * third member of etcd, and HAProxy and PgBouncer in front.
 */
export class Cluster {
  readonly machines: readonly [Machine, Machine];
  /** `DATABASE_URL` of the API. */
  readonly databaseUrl: string;
  /** `DATABASE_REPLICA_URL` of the API. */
  readonly replicaUrl: string;
  /** URL of the primary for `postgres`, who may create databases. */
  readonly administratorUrl: string;
  readonly #programs: { etcd: Program; haproxy: Program; pgbouncer: Program };
  readonly #haproxyPort: number;

  private constructor(
    machines: readonly [Machine, Machine],
    programs: { etcd: Program; haproxy: Program; pgbouncer: Program },
    ports: { haproxy: number; replica: number; pgbouncer: number },
  ) {
    this.machines = machines;
    this.#programs = programs;
    this.#haproxyPort = ports.haproxy;
    this.administratorUrl = `postgres://postgres:${PASSWORDS.superuser}@${local(ports.haproxy)}/postgres`;
    const connect = `postgres://connect:${PASSWORDS.connect}@`;
    this.databaseUrl = `${connect}${local(ports.pgbouncer)}/connect`;
    this.replicaUrl = `${connect}${local(ports.replica)}/connect`;
  }

  /** Writes the files of the set-up, without starting it. */
  static async create(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'connect-failover-'));
    removeOnExit(folder);
    await own(folder);
    const ports = await freePorts(13);
    const etcd = [0, 1, 2].map((index) => ({ client: ports[index]!, peer: ports[3 + index]! }));
    const etcdPrograms = await Promise.all(etcd.map((_, index) => planEtcd(folder, index, etcd)));
    const nodes = [0, 1].map((index) => ({ port: ports[6 + index]!, restPort: ports[8 + index]! }));
    const machines = nodes.map((node, index) =>
      planMachine({ folder, index, ...node, etcd: etcdPrograms[index]!, etcdPorts: etcd }),
    );
    const [haproxy, pgbouncer, replica] = [ports[10]!, ports[11]!, ports[12]!];
    const programs = {
      etcd: etcdPrograms[2]!,
      haproxy: await planHaproxy(folder, { haproxy, replica }, nodes),
      pgbouncer: await planPgBouncer(folder, { haproxy, pgbouncer }),
    };
    const [first, second] = await Promise.all(machines);
    return new Cluster([first!, second!], programs, { haproxy, replica, pgbouncer });
  }

  /** Starts everything, creates the database, and waits for the synchronous standby. */
  async start(): Promise<void> {
    for (const machine of this.machines) machine.start();
    for (const program of Object.values(this.#programs)) program.start();
    const primary = await this.findPrimary();
    await this.waitForStandby(primary);
    const file = join(DEPLOY, 'create-database.sql');
    const args = [`--set=password=${PASSWORDS.connect}`, `--file=${file}`];
    await until('HAProxy finds the primary', () =>
      psql(this.#haproxyPort, PASSWORDS.superuser, args).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Waits for a primary other than `former`. */
  async findPrimary(former?: Machine): Promise<Machine> {
    const candidates = this.machines.filter((machine) => machine !== former);
    return await until('Patroni has a primary', async () => {
      for (const machine of candidates) if (await machine.hasRole('primary')) return machine;
      return undefined;
    });
  }

  /** Waits until the other machine is a synchronous standby of the primary. */
  async waitForStandby(primary: Machine): Promise<void> {
    const standby = this.machines.find((machine) => machine !== primary)!;
    await until(`${standby.name} is a synchronous standby`, () => standby.hasRole('sync'));
  }

  latestOutput(): string {
    const parts = [...this.machines, ...Object.values(this.#programs)];
    return parts.map((part) => part.latestOutput()).join('\n');
  }

  async stop(): Promise<void> {
    await this.#programs.pgbouncer.end('SIGINT');
    await this.#programs.haproxy.end('SIGTERM');
    await Promise.all(this.machines.map((machine) => machine.stop()));
    await this.#programs.etcd.end('SIGTERM');
  }
}

interface EtcdPorts {
  client: number;
  peer: number;
}

async function planEtcd(
  folder: string,
  index: number,
  members: readonly EtcdPorts[],
): Promise<Program> {
  const url = (port: number) => `http://${local(port)}`;
  const { client, peer } = members[index]!;
  const name = `db${index + 1}`;
  const cluster = members.map((member, other) => `db${other + 1}=${url(member.peer)}`);
  return new Program(`etcd-${name}`, folder, ['etcd'], {
    ...(await readEnv('etcd.env')),
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(folder, `etcd-${name}`),
    ETCD_LISTEN_PEER_URLS: url(peer),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: url(peer),
    ETCD_LISTEN_CLIENT_URLS: url(client),
    ETCD_ADVERTISE_CLIENT_URLS: url(client),
    ETCD_INITIAL_CLUSTER: cluster.join(','),
  });
}

async function planMachine(node: {
  folder: string;
  index: number;
  port: number;
  restPort: number;
  etcd: Program;
  etcdPorts: readonly EtcdPorts[];
}): Promise<Machine> {
  const { port, restPort, etcd, etcdPorts } = node;
  const name = `db${node.index + 1}`;
  const folder = join(node.folder, name);
  const dataDir = join(folder, 'data');
  await mkdir(folder);
  await own(folder);
  const env = {
    ...(await readEnv('patroni.env')),
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: local(restPort),
    PATRONI_RESTAPI_CONNECT_ADDRESS: local(restPort),
    PATRONI_POSTGRESQL_LISTEN: local(port),
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: local(port),
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_ETCD3_HOSTS: etcdPorts.map(({ client }) => local(client)).join(','),
    PATRONI_SUPERUSER_PASSWORD: PASSWORDS.superuser,
    PATRONI_REPLICATION_PASSWORD: PASSWORDS.replication,
  };
  const command = ['patroni', await copyForPrograms('patroni.yaml', folder)];
  const patroni = new Program(`patroni-${name}`, folder, command, env);
  const programs = { patroni, etcd };
  return new Machine({ name, port, restPort, dataDir, password: PASSWORDS.superuser, programs });
}

async function planHaproxy(
  folder: string,
  ports: { haproxy: number; replica: number },
  nodes: readonly { port: number; restPort: number }[],
): Promise<Program> {
  const command = ['haproxy', '-db', '-f', await copyForPrograms('haproxy.cfg', folder)];
  return new Program('haproxy', folder, command, {
    LISTEN: local(ports.haproxy),
    LISTEN_REPLICA: local(ports.replica),
    DB1: local(nodes[0]!.port),
    DB1_PATRONI_PORT: String(nodes[0]!.restPort),
    DB2: local(nodes[1]!.port),
    DB2_PATRONI_PORT: String(nodes[1]!.restPort),
  });
}

async function planPgBouncer(
  folder: string,
  ports: { haproxy: number; pgbouncer: number },
): Promise<Program> {
  const reference = await copyForPrograms('pgbouncer.ini', folder);
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"connect" "${PASSWORDS.connect}"\n`);
  // A later value replaces the one of the included file, which ends in the section [pgbouncer].
  const file = join(folder, 'pgbouncer-local.ini');
  await writeFile(
    file,
    `%include ${reference}
listen_port = ${ports.pgbouncer}
auth_file = ${users}
[databases]
connect = host=127.0.0.1 port=${ports.haproxy}
`,
  );
  await own(users);
  await own(file);
  return new Program('pgbouncer', folder, ['pgbouncer', file]);
}

const readEnv = async (name: string) => parseEnv(await readFile(join(DEPLOY, name), 'utf8'));

/** Copies a reference file to where the user of the programs may read it. */
async function copyForPrograms(name: string, folder: string): Promise<string> {
  const copy = join(folder, name);
  await copyFile(join(DEPLOY, name), copy);
  await own(copy);
  return copy;
}

async function own(path: string): Promise<void> {
  const { uid, gid } = programUser();
  await chown(path, uid, gid);
}

/**
 * Polls until the result is truthy.
 *
 * @throws {Error} after a timeout
 */
const until = <Result>(condition: string, poll: () => Promise<Result>) =>
  eventually(async () => {
    const result = await poll();
    if (!result) throw new Error(`Timeout until: ${condition}`);
    return result;
  }, TIMEOUT_MS);
