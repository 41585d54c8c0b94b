/** `npm run reset` removes all data of `npm start`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, ROOT } from './launcher/config.ts';
import { lockDataFolder } from './launcher/data-folder-lock.ts';

/**
 * The script that deletes the data folder. It also stops a database that a crash left running, and
 * deletes the files of that database outside the data folder.
 */
const REMOVE_DATABASE_SCRIPT = join(ROOT, 'packages/api/src/db/embedded/remove-data-folder.ts');

const HELP = 'Deletes DATA_DIR (default: .data) with all data of `npm start`.';

const { dataDir, variables } = readConfig();
if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(HELP);
else process.exitCode = existsSync(dataDir) ? reset() : nothingToDo();

function reset(): number {
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

function nothingToDo(): number {
  console.log(`${dataDir} does not exist. Nothing was deleted.`);
  return 0;
}
