import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserEnv } from './try-browser.ts';

const run = promisify(execFile);

/** Makes the package unpack its shared libraries too, on any machine. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };

const UNPACK = "import('@sparticuz/chromium').then((packed) => packed.default.executablePath())";

/**
 * Unpacks the Chromium in the npm package `@sparticuz/chromium`.
 *
 * The package unpacks to the system's temporary folder and reuses existing files there. So a child
 * process unpacks into a private folder, which is then renamed atomically: no process sees a
 * partial browser, and a new version does not reuse the old one.
 *
 * @param cacheFolder where unpacked browsers are stored
 * @returns the folder with `chromium`, `al2023/lib` and `fonts`
 */
export async function unpackChromium(cacheFolder: string): Promise<string> {
  const folder = join(cacheFolder, `chromium-${await packagedVersion()}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const unpacking = await mkdtemp(join(cacheFolder, 'unpacking-'));
  try {
    const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: unpacking };
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    await run(process.execPath, ['--input-type=module', '-e', UNPACK], { env, cwd });
    await writeFile(join(unpacking, 'fonts', 'fonts.conf'), fontsConf(folder));
    await rename(unpacking, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // Otherwise another process was faster, and its folder is used.
    });
  } finally {
    await rm(unpacking, { recursive: true, force: true });
  }
  return folder;
}

/** Environment for machines without NSS libraries or fonts; the package contains both. */
export function packagedLibraries(folder: string): BrowserEnv {
  const libraries = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']];
  return {
    LD_LIBRARY_PATH: libraries.filter(Boolean).join(':'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  };
}

/** Replaces the package's own file, which names folders of AWS Lambda. */
const fontsConf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;

async function packagedVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const file = join(entry, '..', '..', '..', 'package.json');
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
