import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../env.ts';
import { hostedHeaders } from './headers.ts';
import { readAppearance } from './theme.ts';
import { hostedErrorPage } from './page.ts';
import { createHostedTranslator } from './messages.ts';

/**
 * What keeps the hosted page from being drawn is said to a person in a sentence: JSON is for programs.
 *
 * Which sites may frame it cannot be read when the database is away. A page with a sentence and
 * nothing to press on it may be framed by any.
 */
export const htmlErrors = ({ baseUrl, processor }: Deps) =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const { res } = c;
    const isPage = res.headers.get('content-type')?.startsWith('text/html');
    if (res.status < 400 || isPage || !c.req.header('accept')?.includes('text/html')) return;
    const translator = createHostedTranslator(c.req.header('accept-language'));
    const texts = [translator.translate('away'), translator.translate('awayText')] as const;
    const { theme } = readAppearance(c, []);
    const page = await hostedErrorPage(baseUrl, translator, texts, { theme, framedBy: undefined });
    const headers = new Headers(res.headers);
    for (const [name, value] of Object.entries(hostedHeaders(processor.scriptUrl, ['*']))) {
      headers.set(name, value);
    }
    headers.set('Content-Type', 'text/html; charset=utf-8');
    c.res = undefined; // Else its type would be taken over.
    c.res = new Response(page.toString(), { status: res.status, headers });
  });
