/** `npm run test:peak-load`: the load of a broadcast. `HELP` describes the options. */
import { parseArgs } from 'node:util';
import { planLoad } from './load-plan.ts';
import { findProblems, formatReport } from './report.ts';
import { runPeakLoad } from './run-peak-load.ts';

const HELP = `Sends the load of a broadcast, and compares donations with payments afterwards.

  npm run test:peak-load -- [options]

  --full  30 donations and 5,000 page requests a second for 15 minutes, which needs a machine with many cores;
          without it a tenth of the rate for a minute
  --help  prints this text

Two API processes, two server processes and one PostgreSQL run behind a load balancer. The sandbox applies
Stripe's limit, and is down for a while. An API process is killed, and all processes are replaced one after
the other. It fails if a donor is charged twice, lost, or never gets a result, or if donations and payments
differ in the end. Times are printed beside their goals, and do not fail it. It takes about two and a half
minutes.`;

const options = readOptions();
if (options?.help) console.log(HELP);
else if (options) await main(options.full);

function readOptions() {
  try {
    const boolean = { type: 'boolean', default: false } as const;
    return parseArgs({ options: { full: boolean, help: boolean } }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nThe options are --full and --help.`);
    process.exitCode = 2;
    return undefined;
  }
}

async function main(isFull: boolean): Promise<void> {
  const plan = planLoad({ isFull });
  // Progress is not part of the output, which `npm run performance` writes into docs/peak-load.md.
  const result = await runPeakLoad(plan, (line) => console.error(line));
  console.log(formatReport(plan, result));
  for (const problem of findProblems(result)) {
    console.error(`FAILED: ${problem}`);
    process.exitCode = 1;
  }
}
