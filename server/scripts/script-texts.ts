import { fileNameOf, mediaTypeOf, type Script, type Scripts } from './script-source.ts';
import { prepareSharedBody } from '../cache/shared-body.ts';

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
