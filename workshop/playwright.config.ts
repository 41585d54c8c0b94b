import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

/**
 * Pictures to compare with, of this machine: letters are drawn otherwise on another.
 * `npm run test:stories -- --update-snapshots` keeps those of now.
 */
const SNAPSHOT_DIR = join(import.meta.dirname, '../.data/stories');
/** `test/support/with-browser.ts` names a browser that works here. */
const executablePath = process.env['CHROME_PATH'];
const updatesSnapshots = process.argv.includes('--update-snapshots');

/** Every story, in light and in dark: docs/decisions/0063-a-workshop-of-states.md */
export default defineConfig({
  testDir: '.',
  testMatch: 'stories.e2e.ts',
  outputDir: 'dist/results',
  snapshotPathTemplate: `${SNAPSHOT_DIR}/{arg}{ext}`,
  ignoreSnapshots: !updatesSnapshots && !existsSync(SNAPSHOT_DIR),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // A busy machine takes long for the first story; whatever ends sooner ends the wait.
  timeout: 300_000,
  expect: { timeout: 30_000, toHaveScreenshot: { animations: 'disabled', scale: 'css' } },
  reporter: [['dot']],
  use: {
    browserName: 'chromium',
    // Containers rarely let a browser make its own sandbox, and root never may.
    launchOptions: {
      args: ['--no-sandbox', '--disable-gpu'],
      ...(executablePath && { executablePath }),
    },
  },
});
