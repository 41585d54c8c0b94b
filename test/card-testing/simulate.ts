/**
 * The text of `npm run simulate:card-testing -- --help`. This command measures how many stolen
 * cards reach the processor during an attack, and how long honest donors wait.
 */
import { parseArgs } from 'node:util';
import { attack, countCards, type Attack } from './attacker.ts';
import { donateDuringAttack } from './honest-donors.ts';
import { startSystem, type System } from './system.ts';

const HELP = `Attacks a form with stolen cards while honest donors donate.

  npm run simulate:card-testing -- [options]

  --minutes <number>  time over which the honest donors are distributed; default 10
  --donors <number>   number of honest donors in that time; default 500
  --card-ms <number>  processing time of a card in the sandbox; default 300
  --event-ms <number> delay of each event of the sandbox; default 0
  --only <text>       only scenarios whose name contains the text
  --help              prints this text

Servers, API, database and sandbox are separate processes and run in real time, with the rate limits of
production. The sandbox processes one card of a payment intent at a time, as Stripe does; Stripe takes about a
second for each. Attackers solve no proof of work, and confirm as many cards as they can on every payment
intent. Honest donors solve every required proof of work, all of them on this machine; the first card of every
tenth donor is declined. For a shorter run with as many donors per minute: --donors 200 --minutes 4.`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    donors: { type: 'string', default: '500' },
    'card-ms': { type: 'string', default: '300' },
    'event-ms': { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const start = () =>
  startSystem({ cardMs: Number(options['card-ms']), eventMs: Number(options['event-ms']) });

const print = (name: string, value: string | number) =>
  console.log(`  ${`${name}:`.padEnd(52)} ${value}`);

async function printCards(system: System, attacks: Attack[]): Promise<void> {
  const { perAddress, perForm } = await countCards(system, attacks);
  print(
    'attempts to create a payment intent',
    attacks.reduce((sum, { attempts }) => sum + attempts, 0),
  );
  print(
    'payment intents created',
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
    print('honest donors', `${donors} in ${minutes} minutes, 30 with one address`);
    print('honest donors rejected (0)', result.rejected);
    for (const [reason, count] of result.delays) print(`delayed by: ${reason}`, count);
    print('with a proof of work', result.proven);
    const seconds = (share: number) =>
      `${(result.waits[Math.min(result.waits.length - 1, Math.floor(result.waits.length * share))]! / 1000).toFixed(1)} s`;
    print('time from submit to payment, median', seconds(0.5));
    print('time from submit to payment, 95 % (15 s)', seconds(0.95));
    print('longest time', seconds(1));
    await printCards(system, [await runningAttack]);
  },
};

if (options.help) console.log(HELP);
else {
  for (const [name, run] of Object.entries(SCENARIOS)) {
    if (!name.includes(options.only)) continue;
    console.log(name);
    const started = performance.now();
    await run();
    print('duration', `${Math.round((performance.now() - started) / 1000)} s`);
  }
}
