/** `npm run reset` removes all data of `npm start`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, ROOT } from './launcher/config.ts';
import { lockDataFolder } from './launcher/data-folder-lock.ts';

/** Also stops a database that a crash left running, and removes its files outside the folder. */
const REMOVE = join(ROOT, 'packages/api/src/db/embedded/remove-embedded.ts');

const HELP = 'Removes DATA_DIR, .data where it is not set: everything that `npm start` keeps.';

const { dataDir, variables } = readConfig();
if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(HELP);
else process.exitCode = existsSync(dataDir) ? reset() : nothingToDo();

function reset(): number {
  try {
    const lock = lockDataFolder(dataDir);
    const { status } = spawnSync(process.execPath, [REMOVE, dataDir], { stdio: 'inherit' });
    lock.release();
    if (status !== 0) return 1;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  console.log(`Removed ${dataDir}.`);
  if (variables['DATABASE_URL']) console.log('The database that DATABASE_URL names is as it was.');
  return 0;
}

function nothingToDo(): number {
  console.log(`There is no ${dataDir}: nothing to remove.`);
  return 0;
}
