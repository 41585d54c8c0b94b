import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { browserSources, isExecutable, type BrowserSource } from './browser-sources.ts';
import { tryBrowser, type BrowserEnv } from './try-browser.ts';

/** A browser that was started successfully on this machine. */
interface Browser {
  path: string;
  /**
   * Environment variables for starting the browser, with libraries and fonts that the machine
   * lacks.
   */
  env: BrowserEnv;
  /** Name of its source, for the log. */
  source: string;
}

interface FindBrowserOptions {
  env?: NodeJS.ProcessEnv;
  cacheFolder?: string;
  sources?: BrowserSource[];
  /** Prefers a headless shell: docs/decisions/0016-tests-and-ci.md */
  prefersHeadlessShell?: boolean;
  tryBrowser?: (path: string, env: BrowserEnv) => Promise<void>;
}

const CACHE_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/test-browser');

/**
 * Finds a Chromium for the tests, and installs one if the machine has none.
 *
 * Order and reasons: docs/decisions/0016-tests-and-ci.md. A browser is started once before it
 * is returned, and cached until its file changes.
 *
 * @throws if `CHROME_PATH` names a browser that does not work, or if none works
 */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<Browser> {
  const { env = process.env, cacheFolder = CACHE_FOLDER, prefersHeadlessShell = false } = options;
  const cacheFile = join(cacheFolder, prefersHeadlessShell ? 'found-shell.json' : 'found.json');
  const tryToStart = options.tryBrowser ?? tryBrowser;
  const chosenPath = env['CHROME_PATH'];
  const cachedBrowser = await readCache(cacheFile, chosenPath);
  if (cachedBrowser) return cachedBrowser;
  const sources = options.sources ?? browserSources(cacheFolder, env);
  const browser = chosenPath
    ? await startChosen(chosenPath, tryToStart)
    : await startFirstWorking(
        prefersHeadlessShell ? sortShellsFirst(sources) : sources,
        tryToStart,
      );
  await writeCache(cacheFile, browser);
  return browser;
}

const sortShellsFirst = (sources: readonly BrowserSource[]) =>
  sources.toSorted(
    (a, b) => Number(b.isHeadlessShell ?? false) - Number(a.isHeadlessShell ?? false),
  );

type TryBrowser = NonNullable<FindBrowserOptions['tryBrowser']>;

/**
 * Starts the browser that the user chose. It has no fallback, because the tests would then use
 * another browser.
 */
async function startChosen(path: string, tryBrowser: TryBrowser): Promise<Browser> {
  if (!isExecutable(path)) throw new Error(`CHROME_PATH: ${path} is not an executable file.`);
  try {
    await tryBrowser(path, {});
  } catch (cause) {
    throw new Error(`CHROME_PATH: ${path} does not start. ${firstLines(cause)}`, { cause });
  }
  return { path, env: {}, source: 'CHROME_PATH' };
}

async function startFirstWorking(
  sources: readonly BrowserSource[],
  tryBrowser: TryBrowser,
): Promise<Browser> {
  const failures: string[] = [];
  for (const source of sources) {
    try {
      for (const { path, env } of await source.candidates()) {
        try {
          await tryBrowser(path, env);
          return { path, env, source: source.name };
        } catch (error) {
          failures.push(`- ${source.name}: ${path} does not start. ${firstLines(error)}`);
        }
      }
    } catch (error) {
      failures.push(`- ${source.name}: ${firstLines(error)}`);
    }
  }
  throw new Error(
    `No browser for the tests. Install Chromium or Chrome, or name one with CHROME_PATH.\n` +
      `What was tried:\n${failures.join('\n')}`,
  );
}

/** Returns the reason of a failure, without Playwright's whole call log. */
function firstLines(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const linkError = /error while loading shared libraries.*/.exec(message)?.[0];
  return linkError ?? message.split('\n').slice(0, 2).join(' ').slice(0, 300);
}

interface CachedBrowser extends Browser {
  mtimeMs: number;
}

async function readCache(file: string, chosen?: string): Promise<Browser | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  const { mtimeMs, ...browser } = JSON.parse(text) as CachedBrowser;
  if (chosen ? chosen !== browser.path : browser.source === 'CHROME_PATH') return undefined;
  if (!existsSync(browser.path) || statSync(browser.path).mtimeMs !== mtimeMs) return undefined;
  return browser;
}

async function writeCache(file: string, browser: Browser): Promise<void> {
  const memory: CachedBrowser = { ...browser, mtimeMs: statSync(browser.path).mtimeMs };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(memory, null, 2));
}
