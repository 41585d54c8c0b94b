/** Runs the BFF in Node until a stop signal. */
import { Environment } from './config.ts';
import { startServer } from './node.ts';

function helpText(): string {
  const lines = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return ['node server/main.ts', '', 'Environment variables:', ...lines].join('\n');
}

async function run(): Promise<void> {
  // Registered before the start: the reader of its output may send the signal at once.
  const stopped = new Promise((resolve) =>
    process.once('SIGTERM', resolve).once('SIGINT', resolve),
  );
  const server = await startServer();
  await stopped;
  await server.stop();
  process.exit(); // Does not wait for the compression of scripts.
}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(helpText());
else {
  await run().catch((error: Error) => {
    console.error(error.message); // The message says what to change; a stack would hide it.
    process.exit(1);
  });
}
