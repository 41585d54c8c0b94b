import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { addressLoader } from '../scripts/addressed-loader.ts';
import type { Deps } from '../deps.ts';
import { sendSharedBody } from '../cache/shared-body.ts';

/**
 * `Cache-Control` of the latest scripts. Pages get a new release within five minutes, and never
 * wait for it.
 */
const LATEST_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400';
/**
 * `Cache-Control` of files whose name contains a content hash or a version; their content never
 * changes.
 */
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
    if (script === null)
      throw new ConnectError('unavailable', NOT_BUILT, { retryAfterSeconds: 10 });
    throw new ConnectError('not_found', `The script ${name} does not exist.`);
  };
  return new Hono()
    .get(`/:name{${FILE}}`, (c) => serve(c))
    .get(`/:version{${VERSION}}/:name{${FILE}}`, (c) => serve(c, `${c.req.param('version')}/`));
};

const cacheControl = (name: string) =>
  IMMUTABLE_NAME.test(name) ? IMMUTABLE : LATEST_CACHE_CONTROL;

const NOT_BUILT = 'The script has not been built yet. Run: npm run build';
