import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compressShared } from '../node/compressors.ts';
import { fileNameOf, mediaTypeOf, type Script, type Scripts } from './script-source.ts';
import { prepareSharedBody } from '../cache/shared-body.ts';

/** Interval between two checks whether the bundle was rebuilt. */
const CHECK_INTERVAL_MS = 1000;

const SCRIPT_NAME = /^(?:[\w.-]+\.js(?:\.map)?|integrity\.json)$/;

/**
 * Serves the elements' built scripts from a folder, out of memory and compressed once.
 *
 * Names are looked up in the list of found files, so path traversal is impossible.
 *
 * @param version of the bundle, which is also served under `v{version}/`
 */
export function openScriptFolder(folder: string, version: string): Scripts {
  let cached: { checkedAtMs: number; buildStamp: string; files: Promise<Files> } | undefined;
  return {
    async find(path) {
      if (!cached || Date.now() - cached.checkedAtMs >= CHECK_INTERVAL_MS) {
        const buildStamp = await currentBuildStamp(folder);
        // No files if a build is replacing them at this moment; the next check finds them.
        if (cached?.buildStamp !== buildStamp)
          cached = {
            checkedAtMs: 0,
            buildStamp,
            files: readScripts(folder).catch(() => new Map()),
          };
        cached.checkedAtMs = Date.now();
      }
      const files = await cached.files;
      return files.has('connect.js') ? files.get(fileNameOf(path, version)) : null;
    },
  };
}

type Files = ReadonlyMap<string, Script>;

/** Returns a text that changes with every build; it is empty if there is no build. */
const currentBuildStamp = async (folder: string) => {
  const times = [folder, join(folder, 'connect.js')].map(
    async (path) => (await stat(path)).mtimeMs,
  );
  return await Promise.all(times).then(String, () => '');
};

async function readScripts(folder: string): Promise<Files> {
  const scripts = new Map<string, Script>();
  for (const name of await readdir(folder)) {
    if (SCRIPT_NAME.test(name))
      scripts.set(name, await prepareScript(await readFile(join(folder, name)), name));
  }
  return scripts;
}

/** Hashes and compresses a file. */
export const prepareScript = (file: Buffer, name: string): Promise<Script> =>
  prepareSharedBody(file.toString(), mediaTypeOf(name), compressShared);
