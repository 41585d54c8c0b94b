/**
 * The text of `npm run simulate:card-testing -- --help`. This command measures how many stolen
 * cards reach the processor during an attack, and how long honest donors wait.
 */
import { parseArgs } from 'node:util';
import { attack, countCards, type Attack } from './attacker.ts';
import { donateDuringAttack } from './honest-donors.ts';
import { startSystem, type System } from './system.ts';

const HELP = `Attacks a form with stolen cards, and lets honest donors give meanwhile.

  npm run simulate:card-testing -- [options]

  --minutes <number>  how long the honest donors are spread over; 10 where left out
  --donors <number>   how many honest donors give in that time; 500 where left out
  --card-ms <number>  how long the stand-in processor takes for a card; 300 where left out
  --only <text>       only scenarios whose name contains it
  --help              this

Real servers, API, database and stand-in processor over HTTP, each a process of its own, and real time:
all limits have the windows that they have in production. The stand-in takes one card of a payment intent
at a time, as Stripe does; Stripe takes about a second for each. Attackers do no proof of work; they confirm as many
cards as they can, at once, on every payment intent that they get. Honest donors do the work that they are
asked for, all of them on this machine, and of one in ten the first card is declined. For a shorter run
with as many donors a minute: --donors 200 --minutes 4.`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    donors: { type: 'string', default: '500' },
    'card-ms': { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const start = () => startSystem({ cardMs: Number(options['card-ms']) });

const print = (name: string, figure: string | number) =>
  console.log(`  ${`${name}:`.padEnd(52)} ${figure}`);

async function printCards(system: System, attacks: Attack[]): Promise<void> {
  const { perAddress, perForm } = await countCards(system, attacks);
  print(
    'attempts to open a payment intent',
    attacks.reduce((sum, { attempts }) => sum + attempts, 0),
  );
  print(
    'payment intents opened',
    attacks.reduce((sum, { intents }) => sum + intents.size, 0),
  );
  print('cards that reached the processor, per address (20)', `at most ${perAddress}`);
  print('cards that reached the processor, per form (100)', perForm);
}

const SINGLE_ADDRESS = ['203.0.113.9'];
const MANY_ADDRESSES = Array.from(
  { length: 500 },
  (_, index) => `198.18.${index >> 8}.${index & 255}`,
);

const SCENARIOS: Record<string, () => Promise<void>> = {
  'one address': async () => {
    await using system = await start();
    await printCards(system, [
      await attack(system, [system.servers[0]!], SINGLE_ADDRESS, { tries: 300 }),
    ]);
  },
  '500 addresses': async () => {
    await using system = await start();
    await printCards(system, [
      await attack(system, [system.servers[0]!], MANY_ADDRESSES, { tries: 1500 }),
    ]);
  },
  'two servers': async () => {
    await using system = await start();
    await printCards(system, [
      await attack(system, system.servers, SINGLE_ADDRESS, { tries: 300 }),
    ]);
  },
  'restart of servers and API': async () => {
    await using system = await start();
    const before = await attack(system, system.servers, SINGLE_ADDRESS, { tries: 100 });
    await system.restart();
    const after = await attack(system, system.servers, SINGLE_ADDRESS, { tries: 100 });
    await printCards(system, [before, after]);
  },
  'honest donors during an attack': async () => {
    await using system = await start();
    const minutes = Number(options.minutes);
    const donors = Number(options.donors);
    const ended = new AbortController();
    const runningAttack = attack(system, system.servers, MANY_ADDRESSES, { signal: ended.signal });
    const result = await donateDuringAttack(system, {
      minutes,
      donors,
      sharedAddress: MANY_ADDRESSES[0]!,
    });
    ended.abort();
    print('honest donors', `${donors} in ${minutes} minutes, 30 behind one address`);
    print('honest donors refused (0)', result.refused);
    for (const [what, times] of result.delays) print(`told to wait: ${what}`, times);
    print('with a proof of work', result.proven);
    const seconds = (share: number) =>
      `${(result.waits[Math.min(result.waits.length - 1, Math.floor(result.waits.length * share))]! / 1000).toFixed(1)} s`;
    print('wait from Give to paid, half of them', seconds(0.5));
    print('wait from Give to paid, 95 % (15 s)', seconds(0.95));
    print('longest wait', seconds(1));
    await printCards(system, [await runningAttack]);
  },
};

if (options.help) console.log(HELP);
else {
  for (const [name, play] of Object.entries(SCENARIOS)) {
    if (!name.includes(options.only)) continue;
    console.log(name);
    const started = performance.now();
    await play();
    print('took', `${Math.round((performance.now() - started) / 1000)} s`);
  }
}
