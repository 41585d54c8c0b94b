import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../env.ts';
import { chooseEncoding, type Script } from '../script-source.ts';
import { VARY, renderScriptWithSession } from './script-with-session.ts';

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
 * Any page may load the scripts: origins are checked when a page opens a session.
 */
export const scriptRoutes = (deps: Deps) => {
  const serve = async (c: Context, folder = '') => {
    const file = c.req.param('name')!;
    const name = folder + file;
    // Module scripts and scripts with SRI are CORS requests on every page; error responses need the
    // header too.
    c.header('Access-Control-Allow-Origin', '*');
    const form = file === 'connect.js' && c.req.query('form');
    const withSession = form && (await renderScriptWithSession(c, form, folder, deps));
    if (withSession) return withSession;
    const script = await deps.config.scripts?.find(name);
    if (script) return sendScript(c, script, form ? 'no-store' : cacheControl(name));
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

function sendScript(c: Context, script: Script, cacheControlValue: string) {
  const encoding = chooseEncoding(c.req.header('accept-encoding') ?? '', script);
  const etag = `"${script.hash}${encoding ? `-${encoding}` : ''}"`;
  c.header('Cache-Control', cacheControlValue);
  c.header('ETag', etag);
  c.header('Vary', cacheControlValue === 'no-store' ? VARY : 'Accept-Encoding');
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (etagMatches(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  if (encoding) c.header('Content-Encoding', encoding);
  c.header('Content-Type', script.type);
  return c.body(encoding ? script[encoding]! : script.body);
}

export const etagMatches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
