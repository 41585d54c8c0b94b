import { chromium } from 'playwright';
import { BROWSER_ARGS } from './launch-options.ts';

/** Timeout for starting the browser. */
const TRIAL_MILLISECONDS = 30_000;

/** Environment variables for the browser; empty on most machines. */
export type BrowserEnv = Record<string, string>;

/**
 * Starts the browser, opens a page and measures a word on it.
 *
 * An existing file proves little: it can be a snap stub, and libraries or fonts can be missing.
 *
 * @throws with the browser's error message if any of this fails
 */
export async function tryBrowser(executablePath: string, extraEnv: BrowserEnv = {}): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    args: [...BROWSER_ARGS],
    env: { ...definedEntries(process.env), ...extraEnv },
    timeout: TRIAL_MILLISECONDS,
  });
  try {
    const page = await browser.newPage();
    await page.setContent('<p id="word" style="display:inline-block">ready</p>');
    const rendered = await page.locator('#word').evaluate((node) => ({
      text: node.textContent,
      width: node.getBoundingClientRect().width,
    }));
    if (rendered.text !== 'ready')
      throw new Error(`The page said "${rendered.text}", not "ready".`);
    if (rendered.width === 0) throw new Error('Text has no width: the browser found no font.');
  } finally {
    await browser.close();
  }
}

function definedEntries(env: NodeJS.ProcessEnv): BrowserEnv {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
