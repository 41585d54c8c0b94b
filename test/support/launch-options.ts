/**
 * Flags for every Chromium the tests start.
 *
 * Containers rarely let a browser make its own sandbox, and root never may. Nothing here
 * loosens what pages may do to each other: CORS, CSP and site isolation stay as donors have them.
 */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage', // /dev/shm is 64 MB in a default container.
];

/** Options for `chromium.launch()` of the browser that `with-browser.ts` has named. */
export function launchOptions(env = process.env) {
  const executablePath = env['CHROME_PATH'];
  return { args: [...BROWSER_ARGS], ...(executablePath && { executablePath }) };
}
