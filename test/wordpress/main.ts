/**
 * `npm run test:wordpress`: tests the plugin in `integrations/wordpress` in a real WordPress. It is not part
 * of `npm test`, because it needs Debian packages. With `--screenshots` it also takes the pictures of the
 * guide in `docs/site-builders`.
 */
import { spawn } from 'node:child_process';
import { exitOnHelpOption } from '../support/help-option.ts';
import { describeMissing, findMissing } from './support/requirements.ts';
import { SCREENSHOTS_VARIABLE } from './support/illustrate.ts';

/** Exit code if packages are missing, so that a caller can tell it from a failed test. */
const MISSING_EXIT_CODE = 3;

exitOnHelpOption(
  'Tests the WordPress plugin in a real WordPress. Options: --screenshots renews the pictures of the guide; others are passed to Playwright.',
);
const missing = findMissing();
if (missing.length > 0) {
  console.error(describeMissing(missing));
  process.exit(MISSING_EXIT_CODE);
}

const playwrightOptions = process.argv.slice(2).filter((option) => option !== '--screenshots');
const takesScreenshots = process.argv.includes('--screenshots');
const child = spawn(
  process.execPath,
  [
    'test/support/with-browser.ts',
    '--',
    ...['playwright', 'test', '-c', 'test/wordpress/playwright.config.ts', ...playwrightOptions],
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(takesScreenshots && { [SCREENSHOTS_VARIABLE]: '1' }) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
