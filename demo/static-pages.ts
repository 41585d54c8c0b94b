import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = join(import.meta.dirname, 'pages');

/** Stands in the pages as their authors wrote them, so that each can be read and copied as it is. */
const PLACEHOLDER_SERVER = 'http://localhost:4100';

export const readPage = (path: string) => readFileSync(join(PAGES, path), 'utf8');

/** The page with the address of the server that runs, and `{{name}}` replaced by text. */
export function fillPage(html: string, serverOrigin: string, values: Record<string, string> = {}) {
  return html
    .replaceAll(PLACEHOLDER_SERVER, serverOrigin)
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** A handler that answers with a file as it is. */
export const file = (path: string, type: string) => () =>
  new Response(readPage(path), { headers: { 'Content-Type': `${type}; charset=utf-8` } });

/** A Content-Security-Policy: directives by name, each with its sources. */
export const formatPolicy = (directives: Record<string, string[]>) =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
