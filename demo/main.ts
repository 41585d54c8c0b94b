/** Serves the two demo sites: the nonprofit's at `/`, the platform's under `/platform/`. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createDemo } from './app.ts';
import { Environment, readConfig } from './config.ts';

/** How long a client may take to send a request; Node's defaults are 60 and 300 seconds. */
const REQUEST_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000 };

try {
  if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(help());
  else start();
} catch (error) {
  fail((error as Error).message);
}

function help(): string {
  const variables = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(20)} ${schema.description ?? ''}`,
  );
  return ['node demo/main.ts', '', 'Environment variables:', ...variables].join('\n');
}

function start() {
  const config = readConfig();
  const { port, host: hostname } = config;
  const server = serve(
    { fetch: createDemo(config).fetch, port, hostname, serverOptions: REQUEST_TIMEOUTS },
    (address: AddressInfo) => console.log(`demo listening on http://localhost:${address.port}`),
  );
  server.on('error', (error: NodeJS.ErrnoException) => {
    const isPortInUse = error.code === 'EADDRINUSE';
    fail(isPortInUse ? `Port ${port} is taken. Set DEMO_PORT to another.` : error.message);
  });
  const stop = () => {
    server.close(() => process.exit(0));
    if ('closeAllConnections' in server) server.closeAllConnections(); // No request of the demo needs to finish.
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

function fail(message: string) {
  console.error(message);
  process.exit(1);
}
