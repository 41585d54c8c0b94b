import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { bundleTests } from './bundle-tests.config.mjs';

/** Set by `test/support/with-browser.ts` to a browser that works on this machine. */
const executablePath = process.env.CHROME_PATH;
/**
 * Scrolls with the mouse wheel, which the runner's own commands cannot do:
 * `executeServerCommand('wheel', …)`.
 */
const wheelCommand = {
  name: 'wheel-command',
  async executeCommand({ command, payload, session }) {
    if (command !== 'wheel') return;
    await session.browser.getPage(session.id).mouse.wheel(0, payload.deltaY);
    return true;
  },
};

/** Serves the message catalog as modules with one export for each namespace. */
const catalogPlugin = {
  name: 'catalog',
  resolveMimeType: ({ path }) => (isCatalog(path) ? 'js' : undefined),
  transform({ path, body }) {
    if (!isCatalog(path)) return;
    return Object.entries(JSON.parse(body))
      .map(([namespace, messages]) => `export const ${namespace} = ${JSON.stringify(messages)};`)
      .join('\n');
  },
};
const isCatalog = (path) => /^\/packages\/locales\/\w+\.json$/.test(path);

/** A bundled test imports the catalog by a path that is relative to another folder. */
const findCatalog = (context, next) => {
  if (context.path.startsWith('/locales/')) context.path = `/packages${context.path}`;
  return next();
};

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * Records the failed test files in the text file that `FAILED_TEST_FILES` names, so that CI can run
 * them once more: `test/support/failed-files.ts`.
 */
const failedFilesReporter = () => ({
  onTestRunFinished({ sessions }) {
    const list = process.env.FAILED_TEST_FILES;
    if (!list) return;
    for (const { passed, testFile } of sessions) {
      if (!passed) appendFileSync(list, `${relative(ROOT, testFile)}\n`);
    }
  },
});

const FLAGS = ['--no-sandbox', '--disable-gpu'];

export default {
  // Workspaces are linked, so the sources of the contract are outside this folder.
  rootDir: ROOT,
  // The slowest file starts first, so that no core is idle at the end.
  files: ['src/tables/tables-layout-shift.test.ts', 'src/**/*.test.ts'],
  // Not with `--watch`, which runs a test again when one of its modules has changed.
  middleware: process.argv.includes('--watch') ? [] : [findCatalog, await bundleTests(ROOT)],
  nodeResolve: { exportConditions: ['browser', 'production'] },
  // More than the two cores, because tests also wait for timers and frames.
  concurrency: 4,
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 300_000,
  // Longer than any `waitUntil` in a test, whose error message names the missing condition.
  testFramework: { config: { timeout: 60_000 } },
  reporters: [defaultReporter(), failedFilesReporter()],
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: { ...(executablePath && { executablePath }), args: FLAGS },
      // Dates and texts must not depend on the machine.
      createBrowserContext: ({ browser }) =>
        browser.newContext({ locale: 'en-US', timezoneId: 'UTC' }),
    }),
  ],
  plugins: [
    wheelCommand,
    catalogPlugin,
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: new URL('tsconfig.json', import.meta.url).pathname,
    }),
  ],
};
