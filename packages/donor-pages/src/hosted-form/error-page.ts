import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { hostedHeaders } from './headers.ts';
import { readAppearance } from './appearance.ts';
import { createHostedTranslator, hostedErrorPage } from './page.ts';

/**
 * Middleware that turns errors of the hosted donation page into an HTML page for browsers. Other
 * clients get JSON.
 *
 * While the database is unavailable, the sites that may frame the page are unknown. Any site may
 * frame this error page, because it has nothing to click.
 */
export const htmlErrors = ({ baseUrl, processor }: Deps) =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const { res } = c;
    const isPage = res.headers.get('content-type')?.startsWith('text/html');
    if (res.status < 400 || isPage || !c.req.header('accept')?.includes('text/html')) return;
    const translator = createHostedTranslator(c.req.header('accept-language'));
    const texts = [
      translator.translate('unavailable'),
      translator.translate('unavailableText'),
    ] as const;
    const { theme } = readAppearance(c, []);
    const page = await hostedErrorPage(baseUrl, translator, texts, { theme, framedBy: undefined });
    const headers = new Headers(res.headers);
    for (const [name, value] of Object.entries(hostedHeaders(processor.scriptUrl, ['*']))) {
      headers.set(name, value);
    }
    headers.set('Content-Type', 'text/html; charset=utf-8');
    c.res = undefined; // Otherwise Hono keeps the content type of the previous response.
    c.res = new Response(page.toString(), { status: res.status, headers });
  });
