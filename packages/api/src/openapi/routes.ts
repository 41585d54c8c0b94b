import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { PAGE_HEADERS } from '../pages/headers.ts';
import type { OpenApi } from './document.ts';
import { DOCS_STYLE, DOCS_STYLE_FILE, docsPage } from './page.ts';

/** `GET /api/v1/openapi.json`: the OpenAPI document, for any origin, without a token. */
export const openapiJson = (description: OpenApi) =>
  new Hono<Env>().get('/', (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    return c.json(description);
  });

/** `GET /docs`: the API reference as one HTML page, without scripts and external files. */
export function documentation(description: OpenApi) {
  const page = String(docsPage(description));
  return new Hono<Env>()
    .get('/', (c) => c.html(page, 200, PAGE_HEADERS))
    .get(`/${DOCS_STYLE_FILE}`, (c) =>
      c.body(DOCS_STYLE, 200, {
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      }),
    );
}
