import { routeNotFound } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import type { Env } from '../http/env.ts';
import { immutableFile } from '../http/page-shell.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import type { OpenApi } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { isGuide } from './guides.ts';
import { lazy } from '../lib/lazy.ts';
import {
  DOCS_SCRIPT,
  DOCS_SCRIPT_FILE,
  DOCS_STYLE,
  DOCS_STYLE_FILE,
  docsPage,
  guidePage,
} from './page.ts';
import { findSwaggerUi, SWAGGER_UI_FILES } from './swagger-ui.ts';

/** `GET /api/v1/openapi.json` returns the OpenAPI document to any origin, without a token. */
export const openapiJson = (describe: () => OpenApi) =>
  new Hono<Env>().get('/', (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    return c.json(describe());
  });

/** Headers of the reference: its scripts come from our origin, and send requests to it. */
const DOCS_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** `GET /docs` serves the API reference, whose operations Swagger UI draws in the browser, the guides, and the files of these pages. */
export function documentation(describe: () => OpenApi, baseUrl: string) {
  const swaggerUi = lazy(findSwaggerUi);
  const page = lazy(() => {
    const version = swaggerUi()?.version;
    return String(docsPage(describe(), baseUrl, version && `/docs/swagger-ui/${version}`));
  });
  const errors = lazy(() => String(errorsPage(describe())));
  return new Hono<Env>()
    .get('/', (c) => c.html(page(), 200, DOCS_HEADERS))
    .get('/errors', (c) => c.html(errors(), 200, PAGE_HEADERS))
    .get('/guides/:name', (c) => {
      const name = c.req.param('name');
      if (!isGuide(name)) throw routeNotFound(c as Context);
      return c.html(guidePage(describe(), baseUrl, name), 200, PAGE_HEADERS);
    })
    .get(`/${DOCS_STYLE_FILE}`, (c) => c.body(DOCS_STYLE, 200, immutableFile('text/css')))
    .get(`/${DOCS_SCRIPT_FILE}`, (c) => c.body(DOCS_SCRIPT, 200, immutableFile('text/javascript')))
    .get('/swagger-ui/:version/:file', async (c) => {
      const { version, file } = c.req.param();
      const viewer = swaggerUi();
      const isCurrent = viewer?.version === version;
      const compressed = isCurrent ? await viewer.read(file)?.catch(() => undefined) : undefined;
      if (!compressed) throw routeNotFound(c as Context);
      return c.body(compressed, 200, {
        ...immutableFile(SWAGGER_UI_FILES[file]!),
        'Content-Encoding': 'gzip', // Every browser that runs modules accepts gzip.
      });
    });
}
