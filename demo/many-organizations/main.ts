/** Starts the sample platform of docs/platforms.md. */
import { serve } from '@hono/node-server';
import { createPlatform } from './app.ts';
import { Config, readConfig } from './config.ts';

try {
  if (process.argv.includes('--help')) console.log(help());
  else start();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function help(): string {
  const variables = Object.entries(Config.shape).map(
    ([name, { description = '' }]) => `  ${name.padEnd(24)}${description}`,
  );
  return ['node demo/many-organizations/main.ts', '', 'Environment variables:', ...variables].join(
    '\n',
  );
}

function start() {
  const config = readConfig();
  const port = Number(new URL(config.PLATFORM_ORIGIN).port);
  const server = serve({ fetch: createPlatform(config).fetch, port, hostname: '127.0.0.1' }, () =>
    console.log(`platform listening on ${config.PLATFORM_ORIGIN}`),
  );
  process.once('SIGTERM', () => server.close(() => process.exit(0)));
}
