import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of programs for administrators, which may be missing in PATH. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of an installed program. */
export const findProgram = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find(existsSync);
