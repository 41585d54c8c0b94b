import { defineConfig } from 'playwright/test';
import { launchOptions } from '../support/launch-options.ts';

/** One installation in containers. The tests run in order, because each continues where the last one ended. */
export default defineConfig({
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results/container',
  globalSetup: './support/start.ts',
  workers: 1,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list', { printSteps: false }]],
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    // Caddy signs the certificates of local names itself.
    ignoreHTTPSErrors: true,
    trace: 'off',
  },
});
