/**
 * `npm run bench:payment-intents` compares the payment intents that our server creates per second with
 * those of a bare Hono route in front of the same API.
 *
 * The bare route verifies no session, no origin and no body, and limits nothing. Rounds alternate, so
 * that changes in machine load affect both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';

const ORIGIN = 'https://www.example.org';
const ROUNDS = 7;
/** Rounds that are not measured: our server has more code to compile. */
const WARM_UP_ROUNDS = 3;
const ROUND_MS = 2000;
/** Below the limit of 20 simultaneous attempts without a proof of work on a form. */
const CONCURRENCY = 16;
const MIN_RATIO = 0.35;
/** Number of visitors. Each sends one of its donations in turn, as no server sees one token many times. */
const VISITORS = 500;

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values;
if (help) {
  process.stdout.write(
    'Compares the payment intents per second of our server with those of a bare Hono route.\n',
  );
  process.exit(0);
}

await using disposables = new AsyncDisposableStack();
const apiBase = `${await start('upstream')}/api/v1`;
const servers = { ours: await start('ours', apiBase), bare: await start('bare', apiBase) };
const agent = new Agent({ connections: CONCURRENCY });
disposables.defer(() => agent.destroy());

const tokens: string[] = [];
while (tokens.length < VISITORS) tokens.push(await openForm());
let sent = 0;
const rates = { ours: [] as number[], bare: [] as number[] };
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
  for (const name of ['ours', 'bare'] as const) {
    const rate = await intentsPerSecond(servers[name]);
    if (round >= 0) rates[name].push(rate);
  }
}
const ratio = median(rates.ours.map((rate, round) => rate / rates.bare[round]!));
const [ours, bare] = [rates.ours, rates.bare].map((each) => Math.round(median(each)));
process.stdout.write(
  `payment intents, our server / bare Hono route: ${ratio.toFixed(2)} (${ours} against ${bare} a second); budget: at least ${MIN_RATIO}\n`,
);

/** Starts one of the servers in a process of its own. @returns its address */
async function start(...args: string[]): Promise<string> {
  const child = fork(new URL('payment-intent-servers.ts', import.meta.url), args);
  disposables.defer(() => void child.kill());
  const [address] = (await once(child, 'message')) as [string];
  return address;
}

async function openForm(): Promise<string> {
  const { statusCode, body } = await request(`${servers.ours}/embed-sessions`, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode} ${text}`);
  return (JSON.parse(text) as { session_token: string }).session_token;
}

async function intentsPerSecond(server: string): Promise<number> {
  const deadlineMs = performance.now() + ROUND_MS;
  let done = 0;
  const loop = async () => {
    for (; performance.now() < deadlineMs; done += 1) await createIntent(server);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  return done / (ROUND_MS / 1000);
}

async function createIntent(server: string): Promise<void> {
  const { statusCode, body } = await request(`${server}/payment-intents`, {
    method: 'POST',
    headers: {
      origin: ORIGIN,
      authorization: `Bearer ${tokens[sent++ % VISITORS]}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ amount_cents: 5000 }),
    dispatcher: agent,
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode} ${text}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)]!;
}
