/** `npm run test:faults`: runs the fault scenarios. `HELP` describes the options. */
import { parseArgs, styleText } from 'node:util';
import { runScenario, type Outcome } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { print, summary, writeReport } from './report.ts';
import { saveResult, readResults } from './results.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { recordFailure } from '../support/failed-files.ts';
import { NO_RETRY_EXIT_CODE } from '../support/stages.ts';
import { createInitialData } from './support/initial-data.ts';

const HELP = `Injects faults while donations are made, and compares the donations with the payments afterwards.

  npm run test:faults -- [options]

  --short          a few runs of each scenario, in less than three minutes; recovery times are not checked
  --seed <number>  the same seed gives the same donations and faults; default 1
  --only <text>    only scenarios whose name contains the text; can be repeated
  --runs <number>  runs of each scenario, instead of the scenario's own number
  --report         runs nothing, and writes docs/faults.md from the saved results
  --list           lists the scenarios
  --help           prints this text

A long run takes about forty minutes. docs/faults.md combines the last long run of each scenario, so a
single scenario can be repeated. It is written only when every scenario has had a long run.`;

/** Scenarios at a time in a short run; they mostly wait for locks, rate limits and retries. */
const CONCURRENCY = 5;
/** Scenarios that take longest in a short run. They start first, so that the others run beside them. */
const LONGEST_SCENARIOS = [
  'clock wrong by 10 minutes or 25 hours',
  'session expires while the form is open',
  'rate limits exceeded on both sides',
  'worker killed during webhook deliveries',
];

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [''] },
    runs: { type: 'string' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else if (options.list) for (const { name, faults } of SCENARIOS) console.log(`${name}: ${faults}`);
else if (options.report) await report();
else await main();

async function main(): Promise<void> {
  const started = performance.now();
  const seed = Number(options.seed);
  const chosen = SCENARIOS.filter(({ name }) => options.only.some((text) => name.includes(text)));
  if (chosen.length === 0)
    throw new Error(`--only: no scenario name contains "${options.only.join('" or "')}".`);
  const initialData = await createInitialData();
  const outcomes: Outcome[] = [];
  const failed: string[] = [];
  const isLongest = ({ name }: Scenario) => LONGEST_SCENARIOS.includes(name);
  const queue = options.short
    ? [...chosen.filter(isLongest), ...chosen.filter((scenario) => !isLongest(scenario))]
    : [...chosen];
  const runNext = async (): Promise<void> => {
    const scenario = queue.shift();
    if (!scenario) return;
    const ownRuns = options.short ? scenario.runs.short : scenario.runs.long;
    const runs = Number(options.runs ?? ownRuns);
    const progress = showProgress(scenario.name, runs);
    const ownSeed = seed + SCENARIOS.indexOf(scenario);
    const checkRecoveryTimes = !options.short;
    try {
      const outcome = await runScenario(scenario, {
        initialData,
        seed: ownSeed,
        runs,
        checkRecoveryTimes,
        progress,
      });
      if (runs >= scenario.runs.long) await saveResult({ ...outcome, seed });
      outcomes.push(outcome);
      print(outcome, `${outcomes.length}/${chosen.length}`);
      if (outcome.problems.length > 0) failed.push(scenario.name);
    } catch (error) {
      // The other scenarios go on: one of them may find that payments and donations differ.
      console.error(error);
      failed.push(scenario.name);
    }
    await runNext();
  };
  await Promise.all(Array.from({ length: options.short ? CONCURRENCY : 1 }, runNext));
  const durationSeconds = (performance.now() - started) / 1000;
  console.log(styleText('bold', `\n${summary(outcomes)}, ${durationSeconds.toFixed(0)} s.`));
  if (!options.short) await report();
  for (const name of failed) recordFailure(name);
  if (failed.length > 0) process.exitCode = 1;
  if (outcomes.some(hasPaymentMismatch)) process.exitCode = NO_RETRY_EXIT_CODE;
}

function hasPaymentMismatch({ comparison }: Outcome): boolean {
  const { chargedTwice, lost, withoutPayment, mismatches } = comparison;
  return [chargedTwice, lost, withoutPayment, mismatches].some(({ length }) => length > 0);
}

async function report(): Promise<void> {
  const names = SCENARIOS.map(({ name }) => name);
  const results = await readResults(names);
  const missing = names.filter((name) => !results.some((result) => result.name === name));
  if (missing.length === 0) return await writeReport(results);
  console.log(
    `docs/faults.md is unchanged. These scenarios have no long run yet: ${missing.join('; ')}.`,
  );
}

/** Prints the progress of a long scenario at every tenth of its runs. */
function showProgress(name: string, runs: number): (done: number) => void {
  const step = Math.max(1, Math.ceil(runs / 10));
  return (done) => {
    if (!options.short && done % step === 0)
      console.log(styleText('dim', `${name}: ${done}/${runs}`));
  };
}
