import { basename } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { ConnectError } from '@connect-embed/contract';
import { isBuilt } from '@connect-embed/api/lib/built-script';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { FRAME_SCRIPT, FRAME_SCRIPT_FILE, FRAMED_SCRIPT, FRAMED_SCRIPT_FILE } from './assets.ts';

/** Matches the file names of chunks, which contain a hash of their content. */
const HASHED_NAME = /-[\w-]{8,}\.js$/;

/** `GET /embed/connect.js` and its chunks: the same bundle that other sites load. */
export const hostedScripts = (deps: Deps) =>
  new Hono<Env>().use('/:file{[\\w.-]+\\.js}', compress()).get(
    '/:file{[\\w.-]+\\.js}',
    async (c, next) => {
      if (!(await isBuilt(deps.scriptsDir))) {
        const problem = 'The script has not been built yet. Run: npm run build';
        throw new ConnectError('unavailable', problem, { retryAfterSeconds: 10 });
      }
      c.header('X-Content-Type-Options', 'nosniff');
      // The folder may be created after the process has started, so it is opened for each request.
      return await serveStatic<Env>({
        root: deps.scriptsDir,
        rewriteRequestPath: (path) => basename(path),
        onFound: (path, context) =>
          context.header('Cache-Control', HASHED_NAME.test(path) ? IMMUTABLE : SHORT_LIVED),
      })(c, next);
    },
    (c) => {
      throw new ConnectError('not_found', `No script ${c.req.param('file')} here.`);
    },
  );

/** The two scripts of a framed page: one for the hosted page, one for the site around it. */
export const frameScripts = () =>
  new Hono<Env>()
    .get(`/${FRAMED_SCRIPT_FILE}`, (c) => c.body(FRAMED_SCRIPT, 200, scriptHeaders(IMMUTABLE)))
    .get(`/${FRAME_SCRIPT_FILE}`, (c) => c.body(FRAME_SCRIPT, 200, scriptHeaders(SHORT_LIVED)));

const scriptHeaders = (cacheControl: string) => ({
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': cacheControl,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
});

const IMMUTABLE = 'public, max-age=31536000, immutable';
const SHORT_LIVED = 'public, max-age=300';
