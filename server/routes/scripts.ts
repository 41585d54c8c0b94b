import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { prepareSharedBody, sendSharedBody } from '../cache/shared-body.ts';
import type { Deps } from '../deps.ts';
import type { Script } from '../scripts/script-source.ts';

/** Pages get a new release within five minutes, and never wait for it. */
const LATEST_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400';
/** The content of files whose name contains a content hash or a version never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Scripts, source maps, and `integrity.json`. */
const FILE = '[\\w.-]+\\.js(?:\\.map|on)?';
const VERSION = 'v\\d+\\.\\d+\\.\\d+[\\w.+-]*';
const IMMUTABLE_NAME = /^v\d+\.\d+\.\d+|-[\w-]{6,}\.js(?:\.map)?$/;

/**
 * `GET /connect.js`, its chunks, and the same under `/v1.2.3/` for pages that pin a version by SRI.
 * `integrity.json` lists the hashes of all files.
 *
 * Any page may load the scripts: origins are checked when a page requests a form or opens a session.
 * A query is ignored: pages of earlier releases load `connect.js?form=meals`.
 */
export const scriptRoutes = ({ config }: Pick<Deps, 'config'>) => {
  const withAddress = addressLoader(config);
  const serve = async (c: Context, folder = '') => {
    const name = folder + c.req.param('name')!;
    // Module scripts and scripts with SRI are CORS requests on every page; error responses need the
    // header too.
    c.header('Access-Control-Allow-Origin', '*');
    const built = await config.scripts?.find(name);
    const script = built && name === 'connect.js' ? await withAddress(built) : built;
    if (script) return sendSharedBody(c, script, { cacheControl: cacheControl(name) });
    if (script === null) {
      const message = 'The script has not been built yet. Run: npm run build';
      throw new ConnectError('unavailable', message, { retryAfterSeconds: 10 });
    }
    throw new ConnectError('not_found', `The script ${name} does not exist.`);
  };
  return new Hono()
    .get(`/:name{${FILE}}`, (c) => serve(c))
    .get(`/:version{${VERSION}}/:name{${FILE}}`, (c) => serve(c, `${c.req.param('version')}/`));
};

/** The build leaves it in `connect.js` (`vite.config.ts`). */
const PLACEHOLDER = '__CONNECT_SERVER_ADDRESS__';

/**
 * Writes the address of this server into `connect.js`.
 *
 * Optimizers of websites serve copies of scripts from other addresses, where the script's parts are
 * missing. With the address, a copy finds them. The script under `/v1.2.3/` stays as it was built, because
 * its hash is in `integrity` attributes of pages.
 */
function addressLoader({ publicUrl, compressShared }: Deps['config']) {
  const addressed = new WeakMap<Script, Promise<Script>>();
  return (loader: Script): Promise<Script> => {
    if (publicUrl === undefined) return Promise.resolve(loader);
    const text = () => new TextDecoder().decode(loader.body).replaceAll(PLACEHOLDER, publicUrl);
    const script = addressed.get(loader) ?? prepareSharedBody(text(), loader.type, compressShared);
    addressed.set(loader, script);
    return script;
  };
}

const cacheControl = (name: string) =>
  IMMUTABLE_NAME.test(name) ? IMMUTABLE : LATEST_CACHE_CONTROL;
