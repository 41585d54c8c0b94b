import { InvalidArgumentError, type Command } from 'commander';
import { LOCKS, tryWithLock } from '../db/advisory-lock.ts';
import type { OpenDatabase } from '../db/database.ts';
import { formatError } from '../lib/log.ts';
import type { Difference } from '../payments/reconcile/difference.ts';
import { readCommandConfig } from '../process/last-address.ts';
import { withDatabase } from './with-database.ts';

interface ReconcileArguments {
  organization?: string;
  days: number;
  dryRun?: true;
}

/**
 * Adds the command `connect-embed reconcile`, which compares the database with Stripe and repairs
 * differences.
 */
export function addReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description('compare the database with Stripe and repair differences')
    .option('--organization <id>', 'only this organization')
    .option('--days <count>', 'how many days back to compare', parseDays, 35)
    .option('--dry-run', 'report differences without repairing them')
    .action((options: ReconcileArguments) =>
      withDatabase((_db, database) => runReconcile(database, options)),
    );
}

async function runReconcile(
  database: OpenDatabase,
  { organization, days, dryRun }: ReconcileArguments,
): Promise<void> {
  // Loaded only for this command: other commands start faster without Stripe's library.
  const [{ pino }, { createDeps }, { reconcile }, { isAccessRefused }] = await Promise.all([
    import('pino'),
    import('../process/deps.ts'),
    import('../payments/reconcile/reconcile.ts'),
    import('../payments/stripe/errors.ts'),
  ]);
  const deps = createDeps(readCommandConfig(), database, pino({ level: 'silent' }));
  const differences: Difference[] = [];
  const failures: string[] = [];
  const disconnected: string[] = [];
  const progress = createProgressCounter();
  const from = new Date(Date.now() - days * 86_400_000);
  const tryReconcile = () =>
    reconcile(
      deps,
      {
        organizationId: organization,
        onFailure: (id, error) =>
          void (isAccessRefused(error) ? disconnected : failures).push(
            `${id}: ${formatError(error)}`,
          ),
        compareOptionsFor: () => ({ from, repair: !dryRun }),
      },
      { onDifference: (difference) => void differences.push(difference), onChecked: progress.add },
    ).then(() => true);
  while (!(await tryWithLock(deps.db, LOCKS.reconcile, tryReconcile))) await progress.wait();
  progress.end();
  print(differences, { failures, disconnected }, progress.count());
}

interface FailedOrganizations {
  failures: string[];
  /** Organizations whose Stripe account is disconnected. They fail until it is reconnected. */
  disconnected: string[];
}

function print(
  differences: Difference[],
  { failures, disconnected }: FailedOrganizations,
  checkedCount: number,
): void {
  for (const { organizationId, id, description, isRepaired } of differences) {
    process.stdout.write(
      `${[organizationId, id, description, isRepaired ? 'repaired' : 'NOT repaired'].join('\t')}\n`,
    );
  }
  for (const failure of [...disconnected, ...failures]) process.stderr.write(`${failure}\n`);
  const unrepaired = differences.filter(({ isRepaired }) => !isRepaired).length;
  process.stdout.write(
    `${checkedCount} objects checked, ${differences.length} differed, ${differences.length - unrepaired} repaired.\n`,
  );
  if (unrepaired > 0 || failures.length > 0) process.exitCode = 1;
}

/** Prints the number of checked objects at most once a second. The total number is unknown. */
function createProgressCounter() {
  const output = process.stderr;
  let count = 0;
  let shownAt = 0;
  const printCount = () => output.write(output.isTTY ? `\r${count} checked` : `${count} checked\n`);
  return {
    count: () => count,
    add(checkedNow: number): void {
      count += checkedNow;
      if (performance.now() - shownAt < 1000) return;
      shownAt = performance.now();
      printCount();
    },
    async wait(): Promise<void> {
      output.write('Another process is reconciling. Waiting for it to finish.\n');
      await new Promise((resolve) => setTimeout(resolve, 2000));
    },
    end: () => void (output.isTTY && output.write('\n')),
  };
}

function parseDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days.');
}
