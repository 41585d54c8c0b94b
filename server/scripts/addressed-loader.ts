import type { ResolvedConfig } from '../connect-config.ts';
import type { Script } from './script-source.ts';
import { prepareSharedBody } from '../cache/shared-body.ts';

/** The build leaves it in `connect.js` (`vite.config.ts`). */
const PLACEHOLDER = '__CONNECT_SERVER_ADDRESS__';

/**
 * Writes the address of this server into `connect.js`.
 *
 * Optimizers of websites serve copies of scripts from other addresses, where the script's parts are
 * missing. With the address, a copy finds them. The script under `/v1.2.3/` stays as it was built, because
 * its hash is in `integrity` attributes of pages.
 */
export function addressLoader({ publicUrl, compressShared }: ResolvedConfig) {
  const addressed = new WeakMap<Script, Promise<Script>>();
  return (loader: Script): Promise<Script> => {
    if (publicUrl === undefined) return Promise.resolve(loader);
    let script = addressed.get(loader);
    if (!script) {
      const text = new TextDecoder().decode(loader.body).replaceAll(PLACEHOLDER, publicUrl);
      script = prepareSharedBody(text, loader.type, compressShared);
      addressed.set(loader, script);
    }
    return script;
  };
}
