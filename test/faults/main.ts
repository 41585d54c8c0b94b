/** `npm run test:faults -- --help` */
import { parseArgs, styleText } from 'node:util';
import { BROWSER, playBrowser } from './browser/play.ts';
import { play, type Outcome, type PlayOptions } from './play.ts';
import { print, summary, writeReport } from './report.ts';
import { keepResult, readResults } from './results.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { NO_SECOND_RUN } from '../support/stages.ts';
import { makeTemplate } from './support/template.ts';

const HELP = `Breaks the house while people give, and compares the books afterwards.

  npm run test:faults -- [options]

  --short          a few runs of each scenario, in less than three minutes; starts are not judged
  --seed <number>  the same number, the same gifts and the same faults; 1 where left out
  --only <text>    only scenarios whose name contains it
  --runs <number>  so many runs of each scenario in place of its own number
  --report         plays nothing, and writes docs/faults.md again
  --list           names the scenarios
  --help           this

A long run takes an hour and a half. docs/faults.md is written from the last long run of each
scenario, so that one can be repeated alone; as long as one was never played, it is not written.`;

/** Of a short run: mostly they wait, for leases, for budgets, for what is sent again. */
const AT_ONCE = 4;

interface Playable {
  name: string;
  faults: string;
  runs: { long: number; short: number };
  play(options: PlayOptions): Promise<Outcome>;
}

const ALL: readonly Playable[] = [
  ...SCENARIOS.map((scenario) => ({
    ...scenario,
    play: (options: PlayOptions) => play(scenario, options),
  })),
  { ...BROWSER, play: ({ runs }) => playBrowser(runs) },
];

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    runs: { type: 'string' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else if (options.list) for (const { name, faults } of ALL) console.log(`${name}: ${faults}`);
else if (options.report) await report();
else await main();

async function main(): Promise<void> {
  const started = performance.now();
  const seed = Number(options.seed);
  const chosen = ALL.filter(({ name }) => name.includes(options.only));
  if (chosen.length === 0) throw new Error(`--only: no scenario is called "${options.only}".`);
  const template = await makeTemplate();
  const outcomes: Outcome[] = [];
  const waiting = [...chosen];
  const playNext = async (): Promise<void> => {
    const scenario = waiting.shift();
    if (!scenario) return;
    const own = options.short ? scenario.runs.short : scenario.runs.long;
    const runs = Number(options.runs ?? own);
    const progress = showProgress(scenario.name, runs);
    const ownSeed = seed + ALL.indexOf(scenario);
    const alone = !options.short;
    const outcome = await scenario.play({ template, seed: ownSeed, runs, alone, progress });
    if (runs >= scenario.runs.long) await keepResult({ ...outcome, seed });
    outcomes.push(outcome);
    print(outcome, `${outcomes.length}/${chosen.length}`);
    await playNext();
  };
  await Promise.all(Array.from({ length: options.short ? AT_ONCE : 1 }, playNext));
  const took = (performance.now() - started) / 1000;
  console.log(styleText('bold', `\n${summary(outcomes)}, ${took.toFixed(0)} s.`));
  if (!options.short) await report();
  if (outcomes.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  if (outcomes.some(isMoneyWrong)) process.exitCode = NO_SECOND_RUN;
}

function isMoneyWrong({ verdict }: Outcome): boolean {
  const { charged_twice: doubles, lost, invented, wrong } = verdict;
  return [doubles, lost, invented, wrong].some(({ length }) => length > 0);
}

async function report(): Promise<void> {
  const names = ALL.map(({ name }) => name);
  const results = await readResults(names);
  const missing = names.filter((name) => !results.some((result) => result.name === name));
  if (missing.length === 0) return await writeReport(results);
  console.log(`docs/faults.md stays as it is until these are played, too: ${missing.join('; ')}.`);
}

/** Says now and then how far it has come; a long scenario takes minutes. */
function showProgress(name: string, runs: number): (done: number) => void {
  const step = Math.max(1, Math.ceil(runs / 10));
  return (done) => {
    if (!options.short && done % step === 0)
      console.log(styleText('dim', `${name}: ${done}/${runs}`));
  };
}
