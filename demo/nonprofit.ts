import { Hono } from 'hono';
import type { Config } from './config.ts';
import { serveFile, fillPage, formatPolicy, readPage } from './static-pages.ts';

/**
 * Creates the application of a nonprofit's page that accepts donations with the two-line snippet.
 *
 * Its content security policy contains the origins that a website owner has to allow: the BFF,
 * which serves the script, and the card processor, whose script draws the card fields.
 */
export function createNonprofitApp({ bffOrigin, cardOrigins }: Config) {
  const html = fillPage(readPage('nonprofit/index.html'), bffOrigin);
  const contentSecurityPolicy = formatPolicy({
    'default-src': ["'none'"],
    'script-src': [bffOrigin, cardOrigins],
    'connect-src': [bffOrigin, cardOrigins],
    'frame-src': [cardOrigins],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
  return (
    new Hono()
      .get('/', (c) => c.html(html, 200, { 'Content-Security-Policy': contentSecurityPolicy }))
      .get('/site.css', serveFile('nonprofit/site.css', 'text/css'))
      .get('/favicon.svg', serveFile('nonprofit/favicon.svg', 'image/svg+xml'))
      // Browsers request it for files of the docs site that are not HTML.
      .get('/favicon.ico', serveFile('nonprofit/favicon.svg', 'image/svg+xml'))
  );
}
