import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { format } from 'prettier';
import type { Outcome } from './run-scenario.ts';
import {
  slowestRecovery,
  IDLE_PROCESS_START_MS,
  type RecoveryTime,
} from './support/recovery-time.ts';
import type { Result } from './results.ts';

const FILE = join(import.meta.dirname, '../../docs/faults.md');

const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);
const slowestStart = (outcomes: readonly Outcome[]) =>
  slowestRecovery(outcomes.flatMap(({ back }) => back));
const seconds = (ms: number) => (ms ? `${(ms / 1000).toFixed(1)} s` : '–');

/** The slowest start among those that were measured on an idle machine. */
function formatStarts(back: readonly RecoveryTime[]): string {
  if (back.length === 0) return '–';
  const quiet = back.filter(({ busy }) => !busy).length;
  return quiet
    ? `${seconds(slowestRecovery(back))} (of ${quiet})`
    : `not judged (of ${back.length})`;
}

/** Prints a scenario's result to the terminal. */
export function print(outcome: Outcome, place: string): void {
  console.log(styleText('bold', `\n[${place}] ${outcome.name}`));
  const { verdict, runs, donors, rightAfterSeconds, figures, problems } = outcome;
  const { charged_twice: doubles, lost, truly_told: told } = verdict;
  console.log(
    [
      `${runs} runs, ${verdict.gifts} donations, ${dollars(verdict.oursCents)} here and ${dollars(verdict.theirsCents)} at the processor`,
      `${doubles.length} charged twice, ${lost.length} lost, ${donors ? `${told} of ${donors} donors told the truth` : 'no donors of its own'}`,
      `books equal ${rightAfterSeconds.toFixed(1)} s after the last fault; slowest start ${formatStarts(outcome.back)}`,
      ...figures,
    ]
      .map((line) => `  ${line}`)
      .join('\n'),
  );
  for (const problem of problems) console.log(styleText('red', `  NOT SO: ${problem}`));
  const formattedSeconds = `${outcome.seconds.toFixed(0)} s`;
  console.log(
    problems.length
      ? styleText('red', `red, ${formattedSeconds}`)
      : styleText('green', `ok, ${formattedSeconds}`),
  );
}

/** Sums up all results in one line. */
export function summary(outcomes: readonly Outcome[]): string {
  const doubles = sum(outcomes, ({ verdict }) => verdict.charged_twice.length);
  const lost = sum(outcomes, ({ verdict }) => verdict.lost.length);
  const told = sum(outcomes, ({ verdict }) => verdict.truly_told);
  const donors = sum(outcomes, (outcome) => outcome.donors);
  return [
    `${sum(outcomes, ({ runs }) => runs)} faults over ${sum(outcomes, ({ verdict }) => verdict.gifts)} donations`,
    `${dollars(sum(outcomes, ({ verdict }) => verdict.oursCents))} here, ${dollars(sum(outcomes, ({ verdict }) => verdict.theirsCents))} at the processor`,
    `${doubles} charged twice`,
    `${lost} lost`,
    `${told} of ${donors} donors told the truth (${((100 * told) / Math.max(1, donors)).toFixed(1)} %)`,
    `slowest start ${seconds(slowestStart(outcomes))}`,
  ].join(', ');
}

/** Writes docs/faults.md from one result of every scenario. */
export async function writeReport(outcomes: readonly Result[]): Promise<void> {
  const minutes = Math.round(sum(outcomes, ({ seconds: took }) => took) / 60);
  const seeds = [...new Set(outcomes.map(({ seed }) => seed))].join(', ');
  const rows = outcomes.map((outcome) => {
    const { name, faults, runs, verdict, donors, back, rightAfterSeconds } = outcome;
    const cells = [
      `**${name}**: ${faults}`,
      runs,
      verdict.gifts,
      verdict.charged_twice.length,
      verdict.lost.length,
      donors ? `${verdict.truly_told} of ${donors}` : '–',
      formatStarts(back),
      `${rightAfterSeconds.toFixed(1)} s`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const figures = outcomes.flatMap(({ name, figures: own }) =>
    own.map((figure) => `- ${name}: ${figure}`),
  );
  const problems = outcomes.flatMap(({ name, back, problems: own }) => [
    ...own.map((problem) => `- ${name}: ${problem}`),
    ...(back.length > 0 && back.every(({ busy }) => busy)
      ? [`- ${name}: no start could be judged, for the machine was busy with something else.`]
      : []),
  ]);
  const text = `# Faults

Written by \`npm run test:faults\` (seed ${seeds}, ${minutes} minutes, Node ${process.versions.node}, ${process.platform} ${process.arch}).
Real processes are killed and misled while people give; afterwards the books here and the
processor's are compared to the cent, row by row: [test/faults](../test/faults).

${summary(outcomes)}.

| Fault | Runs | Donations | Charged twice | Lost | Donors told the truth | Slowest start | Books equal after |
|-|-|-|-|-|-|-|-|
${rows.join('\n')}

"Slowest start" is from the start of the process to its first good answer, at most 5 s; it counts those
starts, of several at once too, that met a machine with nothing else to do (an empty Node process began in less than
${IDLE_PROCESS_START_MS} ms), three at the end of each scenario among them. "Books equal after" is counted from the last fault; a lost event is made up for in a minute.

${figures.length ? `## Figures of their own\n\n${figures.join('\n')}\n` : ''}
## What is not so, or not shown

${problems.length ? problems.join('\n') : 'Nothing was found.'}
`;
  await writeFile(FILE, await format(text, { parser: 'markdown', printWidth: 100 }));
}
