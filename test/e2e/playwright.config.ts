import { join } from 'node:path';
import { defineConfig, type Project } from 'playwright/test';
import { launchOptions } from '../support/launch-options.ts';

/** The journeys that prove each main path of donors, owners and platforms: `npm test`. */
const MAIN_PATHS = [
  'donation-path',
  'monthly-donation',
  'first-run',
  'forms',
  'dashboard',
  'giving-page',
  'hosted-page',
  'tables/session',
  'tables/public-tables',
].map((name) => join(import.meta.dirname, `${name}.e2e.ts`));

/** The host pages in an installed Firefox: test/README.md */
const FIREFOX: Project = {
  name: 'firefox',
  testDir: 'hosts',
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: { executablePath: process.env['FIREFOX_PATH'] ?? '' },
  },
};

/**
 * End-to-end tests of the whole system in a real browser.
 *
 * No retries: a test that passes only the second time has found a bug.
 */
export default defineConfig({
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  globalSetup: './support/start-system.ts',
  fullyParallel: true,
  // More than the two cores, because tests also wait for timers and responses.
  workers: 3,
  retries: 0,
  // The longest test takes half a minute on two idle cores; the machine may be shared.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: !!process.env['CI'],
  reporter: [['list', { printSteps: false }], ['../support/failed-files-playwright.ts']],
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    // A trace takes longer than most tests. To record one: npm run test:e2e -- --trace on -g "…"
    trace: 'off',
  },
  projects: [
    { name: 'main', testMatch: MAIN_PATHS, teardown: 'after' },
    // The longest tests start first. They mostly wait, and measure only the process of their page.
    { name: 'leaks', testDir: '../leak', teardown: 'after' },
    {
      name: 'journeys',
      testIgnore: [join(import.meta.dirname, 'after/**'), ...MAIN_PATHS],
      teardown: 'after',
    },
    // Checks the output of all other e2e tests, also if some failed.
    { name: 'after', testDir: 'after' },
    ...(process.env['FIREFOX_PATH'] ? [FIREFOX] : []),
  ],
});
