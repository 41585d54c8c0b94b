import { frameAncestors } from '@connect-embed/contract/site-origin';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import type { Context, MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { parseFormName, type Deps } from '@connect-embed/server/pages';
import { colorScheme, isFramed } from './color-scheme.ts';
import { STYLE as GIVING_PAGE_STYLE } from './style.ts';

/**
 * Middleware of the hosted donation page (`/embed/:form`): returns errors as HTML to browsers, in
 * the language of the visitor, because visitors see these pages in a frame or after following a
 * link in an email. Other clients receive JSON.
 *
 * @param allowedOrigins origins that may show the page in a frame
 */
export const htmlErrorPages =
  (allowedOrigins: Deps['allowedOrigins']): MiddlewareHandler =>
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
      `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors ${ancestors}`,
    );
    c.res = undefined; // Otherwise Hono would merge the old Content-Type into the new response.
    c.res = new Response(page, { status, headers: htmlHeaders });
  };

function renderErrorPage(c: Context, status: number, nonce: string) {
  const tag = preferredLanguageTag(c.req.header('accept-language'));
  const { language, direction, translate } = createTranslator(tag, 'donationPage');
  const [title, text] =
    status === 404
      ? [translate('notFound'), translate('notFoundText')]
      : [translate('unavailable'), translate('unavailableText')];
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${colorScheme(c)}" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body class="${isFramed(c) ? 'framed' : 'narrow'}">
        <main aria-label="${title}">
          <div class="note">
            <h1>${title}</h1>
            <p>${text}</p>
          </div>
        </main>
      </body>
    </html>`;
}

/** The style sheet of giving pages, without what surrounds the text if the page is in a frame. */
const STYLE = `${GIVING_PAGE_STYLE}
  .framed { border: 0; box-shadow: none }
  .framed main { grid-template-columns: minmax(0, 1fr); inline-size: 100%; padding: 0 }
`;
