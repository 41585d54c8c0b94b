/**
 * Flags for every Chromium that the tests start.
 *
 * Chromium's own sandbox usually does not work in containers, and never as root. No flag changes
 * security between pages: CORS, CSP and site isolation are as donors have them.
 */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage', // /dev/shm has 64 MB in a default container.
];

/** Options for `chromium.launch()` with the browser that `with-browser.ts` has found. */
export function launchOptions(env = process.env) {
  const executablePath = env['CHROME_PATH'];
  return { args: [...BROWSER_ARGS], ...(executablePath && { executablePath }) };
}
