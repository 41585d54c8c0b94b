import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programPath, readConfig } from './config.ts';
import { lockDataFolder } from './data-folder-lock.ts';

/**
 * The script that deletes the data folder. It also stops a database that a crash left running, and
 * deletes the files of that database outside the data folder.
 */
const REMOVE_DATABASE_SCRIPT = programPath('packages/api/src/db/embedded/remove-data-folder');

/**
 * Deletes the data folder, unless a launcher uses it.
 *
 * @param options.isEmpty whether to delete the folder of `--empty`
 * @returns the exit code
 */
export function resetData(options: { isEmpty: boolean }): number {
  const { dataDir, variables } = readConfig(options);
  if (!existsSync(dataDir)) {
    console.log(`${dataDir} does not exist. Nothing was deleted.`);
    return 0;
  }
  try {
    const lock = lockDataFolder(dataDir);
    const { status } = spawnSync(process.execPath, [REMOVE_DATABASE_SCRIPT, dataDir], {
      stdio: 'inherit',
    });
    lock.release();
    if (status !== 0) return 1;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  console.log(`Deleted ${dataDir}.`);
  if (variables['DATABASE_URL']) console.log('The database at DATABASE_URL was not changed.');
  return 0;
}
