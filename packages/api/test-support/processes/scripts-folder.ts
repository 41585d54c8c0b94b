import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/**
 * Creates a folder for `SCRIPTS_DIR` with files like those of the build, so that tests need no
 * build.
 */
export async function createScriptsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'connect-scripts-'));
  after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'connect.js'), 'import("./donate-aBcD1234.js");');
  await writeFile(join(folder, 'donate-aBcD1234.js'), `/* ${'form '.repeat(1000)} */`);
  await writeFile(join(folder, 'manifest.json'), '{}');
  return folder;
}
