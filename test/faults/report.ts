import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { format } from 'prettier';
import type { Outcome } from './run-scenario.ts';
import {
  slowestRecovery,
  MAX_IDLE_PROCESS_START_MS,
  type RecoveryTime,
} from './support/recovery-time.ts';
import type { Comparison } from './reconcile.ts';
import type { Result } from './results.ts';

const FILE = join(import.meta.dirname, '../../docs/faults.md');

/** Formats a sum over currencies, euros and dollars, which is only compared with another one. */
const money = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);
const slowestRecoveryOf = (outcomes: readonly Outcome[]) =>
  slowestRecovery(outcomes.flatMap(({ recoveryTimes }) => recoveryTimes));
const seconds = (ms: number) => (ms ? `${(ms / 1000).toFixed(1)} s` : '–');

/** The slowest recovery among those that were measured on an idle machine. */
function formatRecovery(recoveryTimes: readonly RecoveryTime[]): string {
  if (recoveryTimes.length === 0) return '–';
  const measured = recoveryTimes.filter(({ busy }) => !busy).length;
  return measured
    ? `${seconds(slowestRecovery(recoveryTimes))} (of ${measured})`
    : `not measured (of ${recoveryTimes.length})`;
}

/** Prints a scenario's result to the terminal. */
export function print(outcome: Outcome, position: string): void {
  console.log(styleText('bold', `\n[${position}] ${outcome.name}`));
  const { comparison, runs, donors, reconciledAfterSeconds, figures, problems } = outcome;
  const { donations, recordedCents, chargedCents, correctlyInformed } = comparison;
  console.log(
    [
      `${runs} runs, ${donations} donations, ${money(recordedCents)} recorded, ${money(chargedCents)} charged`,
      `${comparison.chargedTwice.length} donors charged twice, ${comparison.lost.length} donations lost`,
      `${comparison.debits} bank debits, ${comparison.returnedDebits} of them returned`,
      donors
        ? `${correctlyInformed} of ${donors} donors saw the correct result`
        : 'payments without a form',
      `equal ${reconciledAfterSeconds.toFixed(1)} s after the last fault; slowest recovery ${formatRecovery(outcome.recoveryTimes)}`,
      ...figures,
    ]
      .map((line) => `  ${line}`)
      .join('\n'),
  );
  for (const problem of problems) console.log(styleText('red', `  PROBLEM: ${problem}`));
  const duration = `${outcome.durationSeconds.toFixed(0)} s`;
  console.log(
    problems.length
      ? styleText('red', `failed, ${duration}`)
      : styleText('green', `passed, ${duration}`),
  );
}

/** Sums up all results in one line. */
export function summary(outcomes: readonly Outcome[]): string {
  const total = (of: (comparison: Comparison) => number) =>
    sum(outcomes, ({ comparison }) => of(comparison));
  const correct = total(({ correctlyInformed }) => correctlyInformed);
  const donors = sum(outcomes, (outcome) => outcome.donors);
  return [
    `${sum(outcomes, ({ runs }) => runs)} faults during ${total(({ donations }) => donations)} donations`,
    `${money(total(({ recordedCents }) => recordedCents))} recorded`,
    `${money(total(({ chargedCents }) => chargedCents))} charged`,
    `${total(({ debits }) => debits)} bank debits, of which ${total(({ returnedDebits }) => returnedDebits)} were returned`,
    `${total(({ chargedTwice }) => chargedTwice.length)} donors charged twice`,
    `${total(({ lost }) => lost.length)} donations lost`,
    `${correct} of ${donors} donors saw the correct result (${((100 * correct) / Math.max(1, donors)).toFixed(1)} %)`,
    `slowest recovery ${seconds(slowestRecoveryOf(outcomes))}`,
  ].join(', ');
}

/** Writes docs/faults.md from one result of every scenario. */
export async function writeReport(outcomes: readonly Result[]): Promise<void> {
  const minutes = Math.round(sum(outcomes, ({ durationSeconds }) => durationSeconds) / 60);
  const seeds = [...new Set(outcomes.map(({ seed }) => seed))].join(', ');
  const rows = outcomes.map((outcome) => {
    const { name, faults, runs, comparison, donors } = outcome;
    const cells = [
      `**${name}**: ${faults}`,
      runs,
      comparison.donations,
      comparison.debits ? `${comparison.debits} (${comparison.returnedDebits})` : '–',
      comparison.chargedTwice.length,
      comparison.lost.length,
      donors ? `${comparison.correctlyInformed} of ${donors}` : '–',
      formatRecovery(outcome.recoveryTimes),
      `${outcome.reconciledAfterSeconds.toFixed(1)} s`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const figures = outcomes.flatMap(({ name, figures: lines }) =>
    lines.map((figure) => `- ${name}: ${figure}`),
  );
  const problems = outcomes.flatMap(({ name, recoveryTimes, problems: lines }) => [
    ...lines.map((problem) => `- ${name}: ${problem}`),
    ...(recoveryTimes.length > 0 && recoveryTimes.every(({ busy }) => busy)
      ? [`- ${name}: no recovery time was measured, because the machine was busy.`]
      : []),
  ]);
  const text = `# Fault tests

Fault tests kill processes, drop connections and change clocks while people donate. Afterwards they compare every donation
in the database with the payment at the processor, to the cent. The processor is the sandbox, which simulates Stripe.

\`npm run test:faults\` runs them and writes this page (last run: seed ${seeds}, ${minutes} minutes, Node ${process.versions.node}, ${process.platform} ${process.arch}).
Their code is in [test/faults](../test/faults).

**Result:** ${summary(outcomes)}.

| Fault | Runs | Donations | Bank debits (returned) | Charged twice | Lost | Donors who saw the correct result | Slowest recovery | Equal after |
|-|-|-|-|-|-|-|-|-|
${rows.join('\n')}

- **Bank debits**: a fourth of the donors pay by SEPA debit, which the bank decides three minutes later, during the next
  faults. Each donor gets one email: the receipt, or that the bank returned the debit.
- **Lost**: payments that the processor took and for which no donation was saved.
- **Slowest recovery**: from the start of a process to its first successful response; the limit is 5 s. In brackets: the
  number of measured starts. A start on a busy machine, where an empty Node process takes longer than
  ${MAX_IDLE_PROCESS_START_MS} ms, is not measured.
- **Equal after**: time from the last fault until all donations equal the payments. A dropped event is fetched within a
  minute.

${figures.length ? `## Additional results\n\n${figures.join('\n')}\n` : ''}
## Problems

${problems.length ? problems.join('\n') : 'None.'}
`;
  await writeFile(FILE, await format(text, { parser: 'markdown', printWidth: 100 }));
}
