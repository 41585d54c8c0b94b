/**
 * `npm run bench:memory` shows what the memory of a server process is made of while it creates payment
 * intents: first for one visitor, then for a new visitor each time.
 *
 * A second server has a small young generation, where V8 creates new objects.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createIntents, disposables, openForm, startServer } from './payment-intent-client.ts';
import type { Memory } from './payment-intent-servers.ts';

const ROUNDS = 3;
const ROUND_MS = 5000;

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values;
if (help) {
  process.stdout.write(
    'Shows the memory of a server process under load, and what it is made of.\n',
  );
  process.exit(0);
}

await using _ = disposables;
const upstream = await startServer([], 'upstream');
await measureServer('V8’s defaults', []);
await measureServer('--max-semi-space-size=8', ['--max-semi-space-size=8']);

async function measureServer(name: string, flags: readonly string[]): Promise<void> {
  const server = await startServer([...flags, '--expose-gc'], 'ours', `${upstream.address}/api/v1`);
  const visitor = await openForm(server.address);
  let intents = 0;
  const print = async (phase: string) => {
    const { resident, youngGeneration, live } = await readMemory(server.child);
    printRow(phase, intents, ...[resident, youngGeneration, live].map(megabytes));
  };
  printRow(name, 'intents', 'resident', 'young', 'live');
  await print('after the start');
  for (let round = 0; round < ROUNDS; round += 1) {
    intents += await createIntents(server.address, ROUND_MS, () => visitor);
    await print('one visitor');
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    intents += await createIntents(server.address, ROUND_MS, () => openForm(server.address));
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

async function readMemory(child: ChildProcess): Promise<Memory> {
  child.send('memory');
  const [memory] = (await once(child, 'message')) as [Memory];
  return memory;
}
