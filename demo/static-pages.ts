import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';

const PAGES = join(import.meta.dirname, 'pages');

/**
 * The BFF's URL in the source files of the static pages. It is replaced by the configured URL when
 * a page is served.
 */
const PLACEHOLDER_BFF_ORIGIN = 'http://localhost:4100';

export const readPage = (path: string) => readFileSync(join(PAGES, path), 'utf8');

/** Replaces the BFF's URL and each `{{name}}` in a page, with escaping. */
export function fillPage(page: string, bffOrigin: string, values: Record<string, string> = {}) {
  return page
    .replaceAll(PLACEHOLDER_BFF_ORIGIN, bffOrigin)
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(html`${values[name] ?? ''}`));
}

/** Returns a handler that responds with a file. */
export const serveFile = (path: string, type: string) => () =>
  new Response(readPage(path), { headers: { 'Content-Type': `${type}; charset=utf-8` } });

/** Formats a Content-Security-Policy from directives with their sources. */
export const formatPolicy = (directives: Record<string, string[]>) =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
