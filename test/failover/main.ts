/** `npm run test:failover`: kills the primary database while people donate. `HELP` describes it. */
import { parseArgs } from 'node:util';
import { Cluster } from './cluster.ts';
import { missingPackages } from './programs.ts';
import { runFailover } from './run-failover.ts';

const DONATIONS = 500;
const HELP = `Kills the primary database during donations, and compares donations with payments afterwards.

  npm run test:failover -- [options]

  --donations <number>  default ${DONATIONS}
  --start-only          makes no donations: prints the addresses of the databases, and runs until Ctrl-C
  --help                prints this text

It starts the set-up of deploy/failover on this machine: etcd, two PostgreSQL servers under Patroni, HAProxy and
PgBouncer from Debian's packages, and the API in front of them. It takes about three minutes.`;

const { values: options } = parseArgs({
  options: {
    donations: { type: 'string', default: String(DONATIONS) },
    'start-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else await main();

async function main(): Promise<void> {
  const missing = missingPackages();
  if (missing.length > 0) {
    const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
    return console.log(`skipped: Debian packages are missing. Install them with: ${command}`);
  }
  if (options['start-only']) return await startOnly();
  const donations = Number(options.donations);
  if (!(donations >= 10)) throw new Error('--donations must be at least 10.');
  console.log(`${donations} donations, ${donations / DONATIONS} of the full test.`);
  const { figures, problems } = await runFailover(donations);
  for (const figure of figures) console.log(figure);
  for (const problem of problems) console.error(`FAILED: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function startOnly(): Promise<void> {
  const cluster = await Cluster.create();
  await cluster.start();
  console.log(`Through PgBouncer and HAProxy: ${cluster.databaseUrl}`);
  console.log(`Through HAProxy, as administrator: ${cluster.administratorUrl}`);
}
