import { routeNotFound } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import type { Env } from '../http/env.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import type { OpenApi } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { readGuides } from './guides.ts';
import { lazy } from '../lib/lazy.ts';
import { DOCS_SCRIPT, DOCS_SCRIPT_FILE, DOCS_STYLE, DOCS_STYLE_FILE, docsPage } from './page.ts';
import { findScalar, type Scalar } from './scalar.ts';

/** `GET /api/v1/openapi.json` returns the OpenAPI document to any origin, without a token. */
export const openapiJson = (describe: () => OpenApi) =>
  new Hono<Env>().get('/', (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    return c.json(describe());
  });

/**
 * Headers of the reference. Scalar needs no `eval`, workers or other origins, but writes `style`
 * attributes: docs/decisions/0022-openapi-from-routes.md
 */
const DOCS_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
};

const immutableHeaders = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
});

/** `GET /docs` serves the API reference, which Scalar draws in the browser, and the files of that page. */
export function documentation(describe: () => OpenApi, baseUrl: string) {
  const scalar = lazy(findScalar);
  const page = lazy(() => {
    const entry = scalar()?.entry;
    return String(docsPage(describe(), entry && `/docs/scalar/${entry}`));
  });
  const errors = lazy(() => String(errorsPage()));
  const reference = lazy(() => withGuides(describe(), baseUrl));
  return new Hono<Env>()
    .get('/', (c) => c.html(page(), 200, DOCS_HEADERS))
    .get('/errors', (c) => c.html(errors(), 200, PAGE_HEADERS))
    .get('/reference.json', (c) => c.json(reference(), 200, PAGE_HEADERS))
    .get(`/${DOCS_STYLE_FILE}`, (c) => c.body(DOCS_STYLE, 200, immutableHeaders('text/css')))
    .get(`/${DOCS_SCRIPT_FILE}`, (c) =>
      c.body(DOCS_SCRIPT, 200, immutableHeaders('text/javascript')),
    )
    .get('/scalar/:version/:file{.+}', async (c) => {
      const { version, file } = c.req.param();
      const compressed = await readFileOf(scalar(), version, file);
      if (!compressed) throw routeNotFound(c as Context);
      return c.body(compressed, 200, {
        ...immutableHeaders('text/javascript'),
        'Content-Encoding': 'gzip', // Every browser that runs modules accepts gzip.
      });
    });
}

/** Returns the OpenAPI document with the guides as its description. */
export const withGuides = (description: OpenApi, baseUrl: string) => ({
  ...description,
  info: { ...description.info, description: readGuides(baseUrl) },
});

const readFileOf = async (scalar: Scalar | undefined, version: string, file: string) =>
  scalar?.version === version ? await scalar.read(file)?.catch(() => undefined) : undefined;
