import { InvalidArgumentError, type Command } from 'commander';
import { LOCKS, unlessTaken } from '../../db/lock.ts';
import type { WorkDeps } from '../../env.ts';
import { explain } from '../../explain.ts';
import { isDisconnected } from '../../processor/errors.ts';
import type { Difference } from './difference.ts';
import { reconcile } from './reconcile.ts';

export type WithService = (act: (deps: WorkDeps) => Promise<void>) => Promise<void>;

interface ReconcileArguments {
  organization?: string;
  days: number;
  dryRun?: true;
}

/** `connect reconcile`. */
export function addReconcileCommand(program: Command, withService: WithService): void {
  program
    .command('reconcile')
    .description('compare with the processor’s own lists, and set right what differs')
    .option('--organization <id>', 'only this one')
    .option('--days <count>', 'how far back the lists are compared', asDays, 35)
    .option('--dry-run', 'only tell what differs')
    .action((options: ReconcileArguments) => withService((deps) => run(deps, options)));
}

async function run(deps: WorkDeps, { organization, days, dryRun }: ReconcileArguments) {
  const differences: Difference[] = [];
  const failures: string[] = [];
  const left: string[] = [];
  const progress = counter();
  const from = new Date(Date.now() - days * 86_400_000);
  const act = () =>
    reconcile(
      deps,
      {
        organizationId: organization,
        onFailure: (id, error) =>
          void (isDisconnected(error) ? left : failures).push(`${id}: ${explain(error)}`),
        lists: () => ({ from, heal: !dryRun }),
      },
      { differs: (difference) => void differences.push(difference), looked: progress.add },
    ).then(() => true);
  while (!(await unlessTaken(deps.db, LOCKS.reconcile, act))) await progress.wait();
  progress.end();
  print(differences, { failures, left }, progress.count());
}

interface Unfinished {
  failures: string[];
  /** Whose accounts are not connected any more: nothing here can set that right. */
  left: string[];
}

function print(differences: Difference[], { failures, left }: Unfinished, looked: number): void {
  for (const { organizationId, id, what, healed } of differences) {
    process.stdout.write(
      `${[organizationId, id, what, healed ? 'healed' : 'NOT healed'].join('\t')}\n`,
    );
  }
  for (const failure of [...left, ...failures]) process.stderr.write(`${failure}\n`);
  const open = differences.filter(({ healed }) => !healed).length;
  process.stdout.write(
    `${looked} objects looked at, ${differences.length} differed, ${differences.length - open} healed.\n`,
  );
  if (open > 0 || failures.length > 0) process.exitCode = 1;
}

/** How many objects nobody knows beforehand, so what is shown is how many there were. */
function counter(out = process.stderr) {
  let count = 0;
  let shownAt = 0;
  const show = () => out.write(out.isTTY ? `\r${count} looked at` : `${count} looked at\n`);
  return {
    count: () => count,
    add(more: number): void {
      count += more;
      if (performance.now() - shownAt < 1000) return;
      shownAt = performance.now();
      show();
    },
    async wait(): Promise<void> {
      out.write('Another process is reconciling; waiting for it.\n');
      await new Promise((done) => setTimeout(done, 2000));
    },
    end: () => void (out.isTTY && out.write('\n')),
  };
}

function asDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Needs a whole number of days.');
}
