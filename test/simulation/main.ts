/**
 * `npm run simulate`: simulates donations with faults, in an order that a seed determines.
 * docs/decisions/0117-deterministic-simulation.md
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
  openTestServer,
  serverEnvironment,
} from '@connect-embed/api/test-support/database/database-server';
import { DEFECTS } from './defects.ts';
import type { HistoryResult } from './history.ts';
import type { Failure, WorkerReport, WorkerTask } from './worker.ts';

const HELP = `Simulates donations with faults, and checks that none is lost, doubled or shown wrongly.

  npm run simulate -- [options]

  --donors <number>     donors in total; default 2000
  --seed <number>       seed of the first history; by default a random one
  --history <number>    donors of one history, who give at the same time; default 40
  --workers <number>    histories that run at the same time; default ${availableParallelism()}, the number of cores
  --defect <name>       plants a defect, which must be found:
${Object.entries(DEFECTS)
  .map(([name, { description }]) => `                          ${name.padEnd(24)} ${description}`)
  .join('\n')}
  --verbose             prints a line for each history
  --help                prints this text

A seed determines in which order the statements of all processes, the calls to the processor, its events,
crashes and changes of the clock happen. The code of the API, the database and its locks are real; the
processor, the webhook endpoint and the clock are simulated. A history that fails is repeated with its seed.
`;

const { values: options } = parseArgs({
  options: {
    donors: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1_000_000_000)) },
    history: { type: 'string', default: '40' },
    workers: { type: 'string', default: String(availableParallelism()) },
    defect: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
/** Operations of a failed history that are printed. */
const PRINTED_OPERATIONS = 40;
const PROGRESS_INTERVAL_MS = 10_000;
/** Options of Node with which garbage collection takes less processor time: less often, and without helper threads. */
const WORKER_OPTIONS = ['--max-semi-space-size=64', '--single-threaded-gc'];

if (options.help) {
  process.stdout.write(HELP);
  process.exit();
}
const [donors, seed, donorsPerHistory, workers] = (
  ['donors', 'seed', 'history', 'workers'] as const
).map(readCount) as [number, number, number, number];
if (options.defect !== undefined && !(options.defect in DEFECTS)) {
  fail(`--defect must be one of ${Object.keys(DEFECTS).join(', ')}.`);
}

const histories = Math.ceil(donors / donorsPerHistory);
const results: HistoryResult[] = [];
/** Aborted by the first failure, or by Ctrl-C. */
const stopping = new AbortController();
const startedMs = performance.now();
let shownMs = startedMs;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
// The processes of the server are paused, so it must run on this machine. A test gives its own.
const server = process.env['TEST_SERVER_SOCKET'] ? undefined : await openTestServer(undefined);
if (server) Object.assign(process.env, serverEnvironment(server));
try {
  const parts = Array.from({ length: Math.min(workers, histories) }, (_, index) =>
    runWorker({
      first: seed + index,
      step: workers,
      histories: Math.ceil((histories - index) / workers),
      donors: donorsPerHistory,
      defect: options.defect,
    }),
  );
  await Promise.all(parts);
} finally {
  await server?.close();
}
printSummary();
process.exitCode = stopping.signal.aborted ? 1 : 0;

async function runWorker(task: WorkerTask): Promise<void> {
  if (stopping.signal.aborted) return;
  const child = fork(new URL('worker.ts', import.meta.url), [JSON.stringify(task)], {
    execArgv: [...process.execArgv, ...WORKER_OPTIONS],
  });
  child.on('message', (message) => receive(message as WorkerReport));
  stopping.signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 && !stopping.signal.aborted) throw new Error('A worker process failed.');
}

function receive(message: WorkerReport): void {
  if (stopping.signal.aborted) return;
  if ('failure' in message) return reportFailure(message);
  results.push(message.result);
  const { donations, operations, crashes, traceHash } = message.result;
  if (options.verbose) {
    print(
      `seed ${message.seed}: ${donations} donations, ${operations} operations, ${crashes} crashes, ${traceHash}`,
    );
  }
  if (performance.now() - shownMs < PROGRESS_INTERVAL_MS) return;
  shownMs = performance.now();
  process.stderr.write(`${results.length} of ${histories} histories\n`);
}

/** Prints the end of a failed history and the command that repeats it. The other histories are ended. */
function reportFailure({ seed: failedSeed, failure, trace }: Failure): void {
  stopping.abort();
  const last = trace.slice(-PRINTED_OPERATIONS);
  const defect = options.defect === undefined ? '' : ` --defect ${options.defect}`;
  print(`The last ${last.length} of ${trace.length} operations:`);
  print(last.map((operation) => `  ${operation}`).join('\n'));
  print(`Seed ${failedSeed} failed after ${trace.length} operations: ${failure}`);
  print(
    `Repeat it: npm run simulate -- --seed ${failedSeed} --donors ${donorsPerHistory} --history ${donorsPerHistory}${defect}`,
  );
}

function printSummary(): void {
  const sum = (read: (result: HistoryResult) => number) =>
    results.reduce((total, result) => total + read(result), 0);
  const seconds = (performance.now() - startedMs) / 1000;
  const done = results.length * donorsPerHistory;
  print(`${results.length} histories with ${done} donors, from seed ${seed}:
${sum(({ donations }) => donations)} donations, ${sum(({ operations }) => operations)} operations, ${sum(({ crashes }) => crashes)} crashes
${(done / seconds).toFixed(0)} donors per second with ${workers} workers`);
  if (!stopping.signal.aborted) print('No donation was lost, doubled or shown wrongly.');
}

function readCount(name: 'donors' | 'seed' | 'history' | 'workers'): number {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < 1) fail(`--${name} must be a whole number from 1.`);
  return value;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
