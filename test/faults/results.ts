import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import type { Outcome } from './run-scenario.ts';

/**
 * Results of the last long run of each scenario, from which docs/faults.md is written. They are in
 * git, so that one scenario can be repeated on any machine.
 */
const FOLDER = join(import.meta.dirname, 'results');

const fileOf = (name: string) => join(FOLDER, `${name.replaceAll(/[^\w]+/g, '-')}.json`);

export interface Result extends Outcome {
  seed: number;
}

export async function saveResult(result: Result): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const text = await format(JSON.stringify(result), { parser: 'json', printWidth: 100 });
  await writeFile(fileOf(result.name), text);
}

/** Reads the results in the order of the names, without scenarios that have none. */
export async function readResults(names: readonly string[]): Promise<Result[]> {
  const existingFiles = new Set(await readdir(FOLDER).catch(() => []));
  const files = names
    .map(fileOf)
    .filter((file) => existingFiles.has(file.slice(FOLDER.length + 1)));
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Result));
}
