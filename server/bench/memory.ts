/**
 * `npm run bench:memory` shows what the memory of a server process is made of while it creates payment
 * intents: first for one visitor, then for a new visitor each time.
 *
 * The server counts the attempts of each visitor for ten minutes, but of a limited number of visitors.
 * New visitors come until more than that number have come, and then for further rounds, in which memory
 * should not grow. A second server has a small young generation, where V8 creates new objects.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { MAX_KEYS } from '../rate-limiter.ts';
import { createIntents, disposables, openForm, startServer } from './payment-intent-client.ts';
import type { Memory } from './payment-intent-servers.ts';

const ROUNDS = 3;
const ROUND_MS = 5000;
/** After this many, V8 has enlarged the maps of visitors for the last time, which contain deleted entries, too. */
const WARM_UP_VISITORS = MAX_KEYS * 1.4;
/** The most that resident memory may grow after the warm-up; V8 needs some room for garbage. */
const MAX_GROWTH = 1.1;

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
    const memory = await readMemory(server.child);
    const { resident, youngGeneration, live } = memory;
    printRow(phase, intents, ...[resident, youngGeneration, live].map(megabytes));
    return memory;
  };
  printRow(name, 'intents', 'resident', 'young', 'live');
  await print('after the start');
  for (let round = 0; round < ROUNDS; round += 1) {
    intents += await createIntents(server.address, ROUND_MS, () => visitor);
    await print('one visitor');
  }
  const before = intents;
  const addVisitors = async () => {
    intents += await createIntents(server.address, ROUND_MS, () => openForm(server.address));
    return await print('a new visitor each');
  };
  let warm = await addVisitors();
  while (intents - before < WARM_UP_VISITORS) warm = await addVisitors();
  const warmVisitors = intents - before;
  let last = warm;
  for (let round = 0; round < ROUNDS; round += 1) last = await addVisitors();
  const detail = `${intents - before} visitors against ${warmVisitors}; at most ${MAX_KEYS} are counted`;
  printGrowth('resident, end / after warm-up', last.resident / warm.resident, detail);
  printGrowth('live, end / after warm-up', last.live / warm.live, '');
  server.child.kill();
}

function printRow(name: string, ...columns: readonly (string | number)[]): void {
  const cells = columns.map((column) => String(column).padStart(10)).join('');
  process.stdout.write(`${name.padEnd(24)}${cells}\n`);
}

function printGrowth(name: string, ratio: number, detail: string): void {
  const figures = `${ratio.toFixed(2)} of ${MAX_GROWTH}${ratio > MAX_GROWTH ? ' OVER BUDGET' : ''}`;
  process.stdout.write(`${name.padEnd(34)}${figures}  ${detail}`.trimEnd() + '\n');
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}

async function readMemory(child: ChildProcess): Promise<Memory> {
  child.send('memory');
  const [memory] = (await once(child, 'message')) as [Memory];
  return memory;
}
