import { frameAncestors } from '@connect-embed/contract/site-origin';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import type { Context, MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { messageContent, shell } from '../page/shell.ts';
import { STYLE } from '../page/style.ts';
import { isFramed, themeOf } from '../page/theme.ts';
import { parseFormName, type PageDeps } from '@connect-embed/server/pages';

/**
 * Middleware of the page that shows a form alone (`/embed/:form`): returns errors as HTML to browsers, in
 * the language of the visitor, because visitors see these pages in a frame or after following a
 * link in an email. Other clients receive JSON.
 *
 * @param allowedOrigins origins that may show the page in a frame
 */
export const htmlErrorPages =
  (allowedOrigins: PageDeps['allowedOrigins']): MiddlewareHandler =>
  async (c, next) => {
    await next();
    c.header('Vary', 'Accept, Accept-Language, Sec-Fetch-Dest');
    const { status, headers } = c.res;
    if (status < 400 || !c.req.header('accept')?.includes('text/html')) return;
    const nonce = crypto.randomUUID();
    const page = await renderErrorPage(c, status, nonce);
    const htmlHeaders = new Headers(headers);
    htmlHeaders.set('Content-Type', 'text/html; charset=utf-8');
    const { organization } = parseFormName(c.req.param('form') ?? '');
    const sites = await allowedOrigins.list(organization);
    const ancestors = frameAncestors(sites, c.req.header('referer'));
    htmlHeaders.set(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; frame-ancestors ${ancestors}`,
    );
    c.res = undefined; // Otherwise Hono would merge the old Content-Type into the new response.
    c.res = new Response(page, { status, headers: htmlHeaders });
  };

function renderErrorPage(c: Context, status: number, nonce: string) {
  const tag = preferredLanguageTag(c.req.header('accept-language'));
  const translator = createTranslator(tag, 'donationPage');
  const { translate } = translator;
  const [title, text] =
    status === 404
      ? [translate('notFound'), translate('notFoundText')]
      : [translate('unavailable'), translate('unavailableText')];
  return shell(
    {
      translator,
      title,
      theme: themeOf(c),
      layout: isFramed(c) ? 'framed' : 'narrow',
      head: html`<style nonce="${nonce}">
        ${raw(STYLE)}
      </style>`,
    },
    messageContent(title, text),
  );
}
