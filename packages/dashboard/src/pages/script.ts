import { readFileSync } from 'node:fs';
import type { Context } from 'hono';
import { PAGE_HEADERS } from '@connect-embed/api/http/security-headers';
import { contentHash } from '@connect-embed/api/lib/content-hash';
import type { Deps } from './deps.ts';

/** The script of the pages of forms: it updates the preview and copies code. Both work without it. */
export const FORMS_SCRIPT = readFileSync(new URL('browser-script.js', import.meta.url), 'utf8');
export const FORMS_SCRIPT_PATH = `/pages/forms-${contentHash(FORMS_SCRIPT)}.js`;

/** Allows the page of this response to run our scripts, and to frame the preview of a form. */
export function allowScript(c: Context, { baseUrl }: Pick<Deps, 'baseUrl'>): void {
  const { origin } = new URL(baseUrl);
  c.header(
    'Content-Security-Policy',
    `${PAGE_HEADERS['Content-Security-Policy']}; script-src 'self'; connect-src 'self'; frame-src ${origin}`,
  );
}
