/** Starts the sandbox, a local stand-in for Stripe: `node packages/sandbox/src/main.ts --help`. */
import { HELP, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { startSandbox } from './start.ts';

if (process.argv.includes('--help')) {
  console.log(HELP);
} else {
  try {
    process.umask(0o077); // Only the owner may read the files that the sandbox creates.
    const config = readConfig();
    if (config.isProduction) {
      console.error(
        'WARNING: THIS IS THE SANDBOX IN PRODUCTION. NO MONEY MOVES. EVERY DONATION IS A TEST.',
      );
    }
    const sandbox = await startSandbox(config, createLog(config.logLevel));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
    }
    // Print this line last: its reader may immediately send a signal.
    console.log(`sandbox listening on ${sandbox.url}`);
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPortInUse = 'code' in error && error.code === 'EADDRINUSE';
  const port = 'port' in error ? String(error.port) : '';
  return isPortInUse
    ? `Port ${port} is already in use. Set SANDBOX_PORT to another port.`
    : error.message;
}
