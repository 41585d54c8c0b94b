/** Runs the BFF in Node until a stop signal. */
import { Environment, runServer } from '@connect-embed/server/node';
import { createPages } from './pages.ts';

function helpText(): string {
  const lines = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return ['node packages/cli/src/server/main.ts', '', 'Environment variables:', ...lines].join(
    '\n',
  );
}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(helpText());
else await runServer(createPages());
