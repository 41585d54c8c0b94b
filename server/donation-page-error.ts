import { frameAncestors } from '@connect-embed/contract/site-origin';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { AllowedOrigins } from './allowed-origins.ts';
import { parseFormName } from './platform/form-name.ts';

/**
 * Middleware of the hosted donation page (`/embed/:form`): returns errors as HTML to browsers, in
 * the language of the visitor, because visitors see these pages in a frame or after following a
 * link in an email. Other clients receive JSON.
 *
 * @param allowedOrigins origins that may show the page in a frame
 */
export const htmlErrorPages =
  (allowedOrigins: AllowedOrigins): MiddlewareHandler =>
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
          ${STYLE}
        </style>
      </head>
      <body class="${isFramed(c) ? 'framed' : ''}">
        <main aria-label="${title}">
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html>`;
}

const isFramed = (c: Context) => c.req.header('sec-fetch-dest') === 'iframe';

const THEMES = ['light', 'dark', 'auto'] as const;

/** The theme in the query parameter; undefined if it is not a known theme. */
export const requestedTheme = (c: Context) =>
  THEMES.find((theme) => theme === c.req.query('theme'));

/**
 * The color scheme of a page without a requested theme is light in a frame, and that of the system
 * otherwise. The elements have the same default: they are dark only on a page that declares support
 * for dark.
 */
export function colorScheme(c: Context): string {
  const theme = requestedTheme(c) ?? (isFramed(c) ? 'light' : 'auto');
  return theme === 'auto' ? 'light dark' : theme;
}

/** The same styling as a hosted page that shows only a message: `packages/api/src/web/hosted-form/page.css`. */
const STYLE = `
  :root {
    font: 16px/1.5 system-ui, sans-serif;
    color: light-dark(#1c2328, #eef2f4);
    background: light-dark(#f3f5f4, #0e1113);
  }
  body { margin: 0; padding: clamp(24px, 7vb, 72px) 16px 48px }
  .framed { padding: 0 }
  main {
    box-sizing: border-box;
    display: grid;
    gap: 12px;
    max-inline-size: 30rem;
    margin-inline: auto;
    padding: 32px;
    background: light-dark(#fff, #171b1f);
    border: 1px solid light-dark(#dfe0e1, #353a3d);
    border-radius: 16px;
    overflow-wrap: anywhere;
  }
  .framed main { max-inline-size: none }
  h1, p { margin: 0 }
  h1 { font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.014em; text-wrap: balance }
  p { color: light-dark(#60656a, #adb1b4); text-wrap: pretty }
`;
