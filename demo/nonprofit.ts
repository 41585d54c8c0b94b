import { Hono } from 'hono';
import type { Config } from './config.ts';
import { file, fillPage, formatPolicy, readPage } from './static-pages.ts';

/**
 * The page of a nonprofit that accepts donations with the two-line snippet.
 *
 * Its content security policy is what a website owner has to allow: the BFF, which serves the
 * script, and the card processor, whose script draws the card fields.
 */
export function nonprofit({ serverOrigin, cardOrigins }: Config) {
  const html = fillPage(readPage('nonprofit/index.html'), serverOrigin);
  const contentSecurityPolicy = formatPolicy({
    'default-src': ["'none'"],
    'script-src': [serverOrigin, cardOrigins],
    'connect-src': [serverOrigin, cardOrigins],
    'frame-src': [cardOrigins],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
  return new Hono()
    .get('/', (c) => c.html(html, 200, { 'Content-Security-Policy': contentSecurityPolicy }))
    .get('/site.css', file('nonprofit/site.css', 'text/css'))
    .get('/favicon.svg', file('nonprofit/favicon.svg', 'image/svg+xml'));
}
