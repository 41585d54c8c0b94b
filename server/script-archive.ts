/** Scripts of earlier releases, for pages that pin a version (docs/decisions/0106-releases.md). */
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareScript } from './script-folder.ts';
import type { Script, Scripts } from './script-source.ts';

const ARCHIVED_NAME = /^v\d+\.\d+\.\d+[\w.+-]*\/(?:[\w.-]+\.js|integrity\.json)$/;

/**
 * Serves the versions in an archive folder (`v1.2.3/connect.js`) before those of the server itself, so
 * that the content of a versioned address never changes.
 *
 * @param archive its folders are named like `v1.2.3`
 */
export function withArchive(scripts: Scripts, archive: string): Scripts {
  const cached = new Map<string, Script>();
  const findArchived = async (name: string) => {
    if (!ARCHIVED_NAME.test(name)) return undefined;
    const known = cached.get(name);
    if (known) return known;
    const file = await readFile(join(archive, name)).catch(() => undefined);
    if (!file) return undefined;
    const script = await prepareScript(file, name);
    cached.set(name, script);
    return script;
  };
  return { ...scripts, find: async (name) => (await findArchived(name)) ?? scripts.find(name) };
}

/**
 * Copies the scripts of this version into the archive, unless it has them already. Several servers may
 * start at the same time: a copy appears under its final name only when it is complete.
 */
export async function archiveScripts(
  folder: string,
  version: string,
  archive: string,
): Promise<void> {
  if ((await readdir(archive)).includes(`v${version}`)) return;
  const copy = await mkdtemp(join(archive, 'copying-'));
  try {
    for (const file of await readdir(folder)) {
      if (ARCHIVED_NAME.test(`v${version}/${file}`)) await cp(join(folder, file), join(copy, file));
    }
    // Fails if another server was faster, whose copy is the same.
    await rename(copy, join(archive, `v${version}`)).catch(() => undefined);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
