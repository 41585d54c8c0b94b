import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** The script with the elements, in the folder of the build. */
export const SCRIPT = 'connect.js';

/** Returns whether the script has been built into the folder. */
export const isBuilt = (scriptsDir: string): Promise<boolean> =>
  access(join(scriptsDir, SCRIPT)).then(
    () => true,
    () => false,
  );
