import { prepareSharedBody, type SharedBody } from '../cache/shared-body.ts';

/** A file of the built bundle with its compressed versions. */
export type Script = SharedBody;

/** The source of the built bundle: a folder in Node, a map in a worker. */
export interface Scripts {
  /**
   * @param name `connect.js`, `chunk-1a2b3c4d.js`, `v1.2.3/connect.js`
   * @returns undefined if there is no such file; null if nothing has been built yet
   */
  find(name: string): Promise<Script | undefined | null>;
}

/** Returns the file name of a script's path, without the folder of the bundle's version: `v1.2.3/connect.js`. */
export const fileNameOf = (path: string, version: string): string =>
  path.startsWith(`v${version}/`) ? path.slice(version.length + 2) : path;

export const mediaTypeOf = (name: string): string =>
  /\.(?:map|json)$/.test(name) ? 'application/json' : 'text/javascript; charset=utf-8';

/**
 * Serves built scripts from texts in the program, for workers, which have no files. Responses are not
 * compressed: the platforms that run workers do that.
 *
 * @param texts the scripts by file name
 * @param version of the scripts, which are also served under `v{version}/`
 */
export function createScripts(texts: Readonly<Record<string, string>>, version: string): Scripts {
  const scripts = new Map<string, Promise<Script>>();
  return {
    async find(path) {
      const name = fileNameOf(path, version);
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
      if (text === undefined) return undefined;
      const script = scripts.get(name) ?? prepareSharedBody(text, mediaTypeOf(name));
      scripts.set(name, script);
      return await script;
    },
  };
}
