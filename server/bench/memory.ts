/**
 * `npm run bench:memory` shows what the memory of a server process is made of while it creates payment
 * intents: first for one visitor, then for a new visitor each time.
 *
 * A second server has a small young generation, where V8 creates new objects.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import type { Memory } from './payment-intent-servers.ts';

const ORIGIN = 'https://www.example.org';
const ROUNDS = 3;
const ROUND_MS = 5000;
/** Below the limit of 20 simultaneous attempts without a proof of work on a form. */
const CONCURRENCY = 16;

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values;
if (help) {
  process.stdout.write(
    'Shows the memory of a server process under load, and what it is made of.\n',
  );
  process.exit(0);
}

await using disposables = new AsyncDisposableStack();
const agent = new Agent({ connections: CONCURRENCY });
disposables.defer(() => agent.destroy());
const upstream = await start([], 'upstream');
await measureServer('V8’s defaults', []);
await measureServer('--max-semi-space-size=8', ['--max-semi-space-size=8']);

async function measureServer(name: string, flags: readonly string[]): Promise<void> {
  const server = await start([...flags, '--expose-gc'], 'ours', `${upstream.address}/api/v1`);
  const visitor = await openForm(server.address);
  let intents = 0;
  const print = async (phase: string) => {
    const { resident, youngGeneration, live } = await readMemory(server.child);
    printRow(phase, intents, ...[resident, youngGeneration, live].map(megabytes));
  };
  printRow(name, 'intents', 'resident', 'young', 'live');
  await print('after the start');
  for (let round = 0; round < ROUNDS; round += 1) {
    intents += await createIntents(server.address, () => visitor);
    await print('one visitor');
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    intents += await createIntents(server.address, () => openForm(server.address));
    await print('a new visitor each');
  }
  server.child.kill();
}

function printRow(name: string, ...columns: readonly (string | number)[]): void {
  const cells = columns.map((column) => String(column).padStart(10)).join('');
  process.stdout.write(`${name.padEnd(24)}${cells}\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}

/** Starts one of the servers in a process of its own. */
async function start(flags: readonly string[], ...args: readonly string[]) {
  const file = new URL('payment-intent-servers.ts', import.meta.url);
  const child = fork(file, args, { execArgv: [...flags] });
  disposables.defer(() => void child.kill());
  const [address] = (await once(child, 'message')) as [string];
  return { child, address };
}

async function readMemory(child: ChildProcess): Promise<Memory> {
  child.send('memory');
  const [memory] = (await once(child, 'message')) as [Memory];
  return memory;
}

/** Creates payment intents for one round. Returns their number. */
async function createIntents(
  server: string,
  findVisitor: () => Promise<string> | string,
): Promise<number> {
  const deadlineMs = performance.now() + ROUND_MS;
  let intents = 0;
  const createInTurn = async () => {
    for (; performance.now() < deadlineMs; intents += 1) {
      const authorization = `Bearer ${await findVisitor()}`;
      const headers = { authorization, 'idempotency-key': crypto.randomUUID() };
      await post(`${server}/payment-intents`, { amount_cents: 5000 }, headers);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, createInTurn));
  return intents;
}

/** Opens the form as a new visitor. Returns the visitor's token. */
async function openForm(server: string): Promise<string> {
  const { session_token } = await post(`${server}/embed-sessions`, {}, {});
  return session_token!;
}

async function post(address: string, content: object, headers: Record<string, string>) {
  const { statusCode, body } = await request(address, {
    ...{ method: 'POST', body: JSON.stringify(content), dispatcher: agent },
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode} ${text}`);
  return JSON.parse(text) as Record<string, string>;
}
