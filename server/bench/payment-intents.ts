/**
 * `npm run bench:payment-intents` compares the payment intents that our server creates per second with
 * those of a bare Hono route in front of the same API.
 *
 * The bare route verifies no session, no origin and no body, and limits nothing. Rounds alternate, so
 * that changes in machine load affect both.
 */
import { parseArgs } from 'node:util';
import { createIntents, disposables, openForm, startServer } from './payment-intent-client.ts';

const ROUNDS = 7;
/** Rounds that are not measured: our server has more code to compile. */
const WARM_UP_ROUNDS = 3;
const ROUND_MS = 2000;
const MIN_RATIO = 0.3;
/** Number of visitors. Each sends one of its donations in turn, as no server sees one token many times. */
const VISITORS = 500;

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values;
if (help) {
  process.stdout.write(
    'Compares the payment intents per second of our server with those of a bare Hono route.\n',
  );
  process.exit(0);
}

await using _ = disposables;
const upstream = await startServer([], 'upstream');
const start = async (name: string) =>
  (await startServer([], name, `${upstream.address}/api/v1`)).address;
const servers = { ours: await start('ours'), bare: await start('bare') };

const tokens: string[] = [];
while (tokens.length < VISITORS) tokens.push(await openForm(servers.ours));
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
const mark = ratio < MIN_RATIO ? ' UNDER BUDGET' : '';
process.stdout.write(
  `payment intents, our server / bare Hono route: ${ratio.toFixed(2)} (${ours} against ${bare} a second); budget: at least ${MIN_RATIO}${mark}\n`,
);

async function intentsPerSecond(server: string): Promise<number> {
  const intents = await createIntents(server, ROUND_MS, () => tokens[sent++ % VISITORS]!);
  return intents / (ROUND_MS / 1000);
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)]!;
}
