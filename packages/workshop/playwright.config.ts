import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

/**
 * Reference screenshots of this machine; fonts render differently on others. `npm run test:stories --
 * --update-snapshots` replaces them.
 */
const SNAPSHOT_DIR = join(import.meta.dirname, '../../.data/stories');
/** Set by `test/support/with-browser.ts` to a browser that works on this machine. */
const executablePath = process.env['CHROME_PATH'];
const updatesSnapshots = process.argv.includes('--update-snapshots');

/**
 * Playwright configuration of the Storybook tests: every story in light and dark
 * (docs/decisions/0016-tests-and-ci.md).
 */
export default defineConfig({
  testDir: '.',
  testMatch: 'stories.e2e.ts',
  globalSetup: './serve-stories.ts',
  outputDir: 'dist/results',
  snapshotPathTemplate: `${SNAPSHOT_DIR}/{arg}{ext}`,
  ignoreSnapshots: !updatesSnapshots && !existsSync(SNAPSHOT_DIR),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // The first story is slow on a busy machine. Waits inside a test end earlier.
  timeout: 300_000,
  expect: { timeout: 30_000, toHaveScreenshot: { animations: 'disabled', scale: 'css' } },
  reporter: [['dot'], ['../../test/support/failed-files-playwright.ts']],
  use: {
    browserName: 'chromium',
    // A browser's sandbox rarely works in containers, and never as root.
    launchOptions: {
      args: ['--no-sandbox', '--disable-gpu'],
      ...(executablePath && { executablePath }),
    },
  },
});
