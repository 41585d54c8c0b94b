import type { Script, Scripts } from './script-source.ts';
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
      const name = path.startsWith(`v${version}/`) ? path.slice(version.length + 2) : path;
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
      if (text === undefined) return undefined;
      const script = scripts.get(name) ?? toScript(name, text);
      scripts.set(name, script);
      return await script;
    },
  };
}

async function toScript(name: string, text: string): Promise<Script> {
  const type = name.endsWith('.json') ? 'application/json' : 'text/javascript; charset=utf-8';
  return await prepareSharedBody(text, type);
}
