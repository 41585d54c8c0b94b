import { Hono, type Context } from 'hono';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { findEmbedSessionById } from '@connect-embed/api/auth/session';
import { immutableFile } from '@connect-embed/api/http/page-shell';
import { isId } from '@connect-embed/api/lib/id';
import { isBuilt } from '@connect-embed/api/lib/built-script';
import { lazy } from '@connect-embed/api/lib/lazy';
import { STYLE } from '../page/style.ts';
import { readAppearance } from './appearance.ts';
import { STYLE_FILE } from './assets.ts';
import { htmlErrors } from './error-page.ts';
import { findTerms } from './find-terms.ts';
import { hostedHeaders } from './headers.ts';
import { createHostedTranslator, hostedPage, hostedErrorPage } from './page.ts';
import { frameScripts, hostedScripts } from './scripts.ts';

/**
 * Routes below `/embed`: the hosted donation page at the `embed_url` of an embed session, for sites
 * that cannot run the form themselves, and the server of its form.
 *
 * The page uses the same `<connect-donate>` element as other sites, and below its own address is the same
 * backend-for-frontend (BFF): docs/decisions/0023-hosted-page.md
 */
export const hostedRoutes = (deps: Deps) => {
  // Loaded with the first form, so that a process starts without the libraries of the BFF.
  const loadServers = lazy(async () => (await import('./form-servers.ts')).formServers(deps));
  return new Hono<Env>()
    .get(`/${STYLE_FILE}`, (c) => c.body(STYLE, 200, immutableFile('text/css')))
    .route('/', frameScripts())
    .route('/', hostedScripts(deps))
    .use('/:id', htmlErrors(deps))
    .get('/:id', (c) => renderPage(deps, c, c.req.param('id')))
    .on(['GET', 'POST'], '/:id/:path{.+}', async (c) => {
      const { id, path } = c.req.param();
      const findServer = await loadServers();
      const server = await findServer(id);
      return await server.fetch(requestBelow(deps, c, path), c.env);
    });
};

/** The request as the server of the form gets it: with the path below the page, and the same id in the log. */
function requestBelow({ baseUrl }: Deps, c: Context<Env>, path: string): Request {
  const url = new URL(baseUrl);
  url.pathname = `/${path}`;
  url.search = new URL(c.req.url).search;
  const request = new Request(url, c.req.raw);
  request.headers.set('Request-Id', c.var.requestId);
  return request;
}

async function renderPage(deps: Deps, c: Context<Env>, id: string) {
  const { baseUrl, processor, db } = deps;
  const translator = createHostedTranslator(c.req.header('accept-language'));
  const session = isId(id) ? await findEmbedSessionById(db, id) : undefined;
  const terms = await findTerms(db, id);
  const sites = terms?.origins ?? [];
  const headers = {
    ...hostedHeaders(processor.scriptUrl, sites, c.req.header('referer')),
    Vary: 'Accept-Language, Sec-Fetch-Dest',
  };
  const appearance = readAppearance(c, sites);
  if (!session) {
    const texts = terms
      ? ([translator.translate('expired'), translator.translate('expiredText')] as const)
      : ([translator.translate('notFound'), translator.translate('notFoundText')] as const);
    return c.html(
      hostedErrorPage(baseUrl, translator, texts, appearance),
      terms ? 410 : 404,
      headers,
    );
  }
  if (!(await isBuilt(deps.scriptsDir))) {
    const page = hostedErrorPage(baseUrl, createHostedTranslator('en'), NOT_READY, appearance);
    return c.html(page, 503, { ...headers, 'Retry-After': '10' });
  }
  const { name: organization } = session.organization;
  const server = `${baseUrl}/embed/${session.id}`;
  const page = { base: baseUrl, server, form: session.id, organization, translator, appearance };
  return c.html(hostedPage(page), 200, headers);
}

/** Title and text of the page, for the operator of the service, if the form has not been built. */
const NOT_READY = [
  'This page is not ready yet',
  'The donation form has not been built. To build it, run on the server: npm run build',
] as const;
