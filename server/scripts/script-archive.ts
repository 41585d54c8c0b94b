/** Scripts of other releases, for pages that pin a version (docs/decisions/0106-releases.md). */
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareScript } from './script-folder.ts';
import type { Script, Scripts } from './script-source.ts';

/** Folders of unfinished copies begin with it. */
const COPY_PREFIX = 'copying-';
const ABANDONED_MS = 3_600_000;

const ARCHIVED_NAME = /^v\d+\.\d+\.\d+[\w.+-]*\/(?:[\w.-]+\.js|integrity\.json)$/;

/**
 * Serves the versions in an archive folder (`v1.2.3/connect.js`) before those of the server itself, so
 * that the content of a versioned address never changes. Each file is compressed at its first request.
 *
 * @param archive its folders are named like `v1.2.3`
 */
export function withArchive(scripts: Scripts, archive: string): Scripts {
  const cached = new Map<string, Promise<Script | undefined>>();
  const findArchived = async (name: string) => {
    if (!ARCHIVED_NAME.test(name)) return undefined;
    const script = cached.get(name) ?? loadScript(join(archive, name));
    cached.set(name, script);
    // A server of another release may add the file later.
    if (!(await script)) cached.delete(name);
    return await script;
  };
  return { ...scripts, find: async (name) => (await findArchived(name)) ?? scripts.find(name) };
}

async function loadScript(path: string): Promise<Script | undefined> {
  const file = await readFile(path).catch(() => undefined);
  return file && (await prepareScript(file, path));
}

/**
 * Copies the scripts of this version into the archive, unless it has them already. Several servers may
 * start at the same time: a copy appears under its final name only when it is complete.
 *
 * @throws {Error} naming the variable if the archive cannot be read or written to
 */
export async function archiveScripts(
  folder: string,
  version: string,
  archive: string,
): Promise<void> {
  const files = await readdir(folder).catch((): string[] => []);
  if (!files.includes('connect.js')) return; // Not built yet: every request says so.
  try {
    const names = await readdir(archive);
    await removeAbandonedCopies(archive, names);
    if (names.includes(`v${version}`)) return;
    const copy = await mkdtemp(join(archive, COPY_PREFIX));
    try {
      for (const file of files) {
        if (ARCHIVED_NAME.test(`v${version}/${file}`))
          await cp(join(folder, file), join(copy, file));
      }
      await chmod(copy, 0o755); // Servers of other users read it, too.
      await rename(copy, join(archive, `v${version}`)).catch(ignoreExisting);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`SCRIPTS_ARCHIVE_DIR cannot be used: ${message}`, { cause });
  }
}

/** Removes copies of servers that crashed. A copy takes seconds, so an older one is not in use. */
async function removeAbandonedCopies(archive: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => each.startsWith(COPY_PREFIX))) {
    const path = join(archive, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Another server was faster; its copy is the same. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}
