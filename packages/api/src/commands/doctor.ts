import type { Command } from 'commander';
import { poolerWarnings } from '../db/connection.ts';
import { REPLICA_OPTIONS, openDatabase } from '../db/database.ts';
import { connectOrStartPostgres } from '../db/postgres.ts';
import { formatResult, warning, type CheckResult } from '../doctor/check-result.ts';
import { readCommandConfig } from '../process/last-address.ts';

/**
 * Adds the command `connect-embed doctor`, which checks the installation. The command changes no data
 * except the saved state of Stripe accounts and payment method domains.
 */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check keys, Stripe events, clock, accounts, websites, database and origins')
    .option('--server <url>', 'URL of the server that pages load the form from')
    .option(
      '--origin <origins...>',
      'page origins that it should allow, such as https://example.org',
    )
    .action(({ server, origin = [] }: { server?: string; origin?: string[] }) =>
      runDoctor({ server, origins: origin }),
    );
}

async function runDoctor(options: {
  server: string | undefined;
  origins: string[];
}): Promise<void> {
  const config = readCommandConfig();
  // Loaded only for this command: the other commands start three times as fast without them.
  const [{ pino }, { createDeps }, { runChecks }] = await Promise.all([
    import('pino'),
    import('../process/deps.ts'),
    import('../doctor/run-checks.ts'),
  ]);
  const postgres = await connectOrStartPostgres(config);
  const poolerResults: CheckResult[] = [];
  const database = openDatabase(postgres.url, {
    onPoolerDetected: (pooler) =>
      void poolerResults.push(
        ...poolerWarnings(pooler).map(({ problem, fix }) => warning(`Database: ${problem}`, fix)),
      ),
  });
  const replica = config.databaseReplicaUrl
    ? openDatabase(config.databaseReplicaUrl, REPLICA_OPTIONS)
    : undefined;
  const count: Record<CheckResult['status'], number> = { passed: 0, warning: 0, failed: 0 };
  try {
    const deps = createDeps(
      config,
      { ...database, ...(replica && { replica: replica.db }) },
      pino({ level: 'silent' }),
    );
    const print = (finding: CheckResult) => {
      process.stdout.write(formatResult(finding));
      count[finding.status] += 1;
    };
    for await (const finding of runChecks(deps, { ...options, scriptsDir: config.scriptsDir }))
      print(finding);
    poolerResults.forEach(print);
  } finally {
    await replica?.close();
    await database.close();
    await postgres.stop();
  }
  process.stdout.write(
    `\n${count.passed} passed, ${count.warning} warnings, ${count.failed} failed.\n`,
  );
  if (count.failed > 0) process.exitCode = 1;
}
