import base from '../../e2e/playwright.config.ts';
import { defineConfig } from 'playwright/test';

/** The e2e settings; each interruption is repeated as often as the scenario says. */
export default defineConfig({
  ...base,
  testDir: '.',
  outputDir: '../../../test-results/faults',
  globalSetup: '../../e2e/support/start-system.ts',
  reporter: [['json']],
  projects: [{ name: 'faults', testMatch: '*.e2e.ts' }],
});
