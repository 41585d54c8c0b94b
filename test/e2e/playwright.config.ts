import { defineConfig } from 'playwright/test';
import { launchOptions } from '../support/launch-options.ts';

/**
 * Journeys through the whole house in a real browser.
 *
 * No retries: a journey that passes the second time has found something.
 */
export default defineConfig({
  testDir: '..',
  outputDir: '../../test-results',
  globalSetup: './support/start-system.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Alone the longest takes half a minute on two cores; others may need the machine as well.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: !!process.env['CI'],
  reporter: [['list', { printSteps: false }]],
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    // A trace costs more than many a journey. To get one: npm run test:e2e -- --trace on -g "…"
    trace: 'off',
  },
  projects: [
    { name: 'journeys', testMatch: 'e2e/**/*.e2e.ts', testIgnore: '**/after/**' },
    // They count what a page's own process holds: whoever runs beside it has another.
    { name: 'leaks', testMatch: 'leak/**/*.e2e.ts', dependencies: ['journeys'] },
    // What all journeys together must not have left behind.
    { name: 'after', testMatch: 'e2e/after/**/*.e2e.ts', dependencies: ['journeys'] },
  ],
});
