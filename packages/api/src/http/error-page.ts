import { statusOf, type ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Html } from '../lib/html.ts';
import type { Env } from './env.ts';
import { messagePage } from './page-shell.ts';
import { PAGE_HEADERS } from './security-headers.ts';

/** Matches paths that programs request. Their errors are JSON for any `Accept` header. */
const API_PATHS = /^\/(api|healthz|readyz|metrics|processor-events|\.well-known)(\/|$)/;

/** Returns whether a browser requests a page to show to a person. */
export const wantsHtml = (c: Context): boolean =>
  !API_PATHS.test(c.req.path) &&
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html';

/** Responds with the page of an error. The page has no more information than the JSON error. */
export async function respondWithErrorPage(
  c: Context<Env>,
  error: ConnectError,
  page: Html = errorPage(error),
): Promise<Response> {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  if (error.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(error.retryAfterSeconds));
  }
  return c.html(await page, statusOf(error));
}

/** Renders an error as a page with an optional link to continue. */
export function errorPage(error: ConnectError, link?: { href: string; text: string }): Html {
  const [title, text] = TEXTS[error.type] ?? ['Something went wrong', error.message];
  return messagePage(title, text, link);
}

const TEXTS: Partial<Record<ConnectError['type'], readonly [string, string]>> = {
  not_found: ['Page not found', 'This page does not exist. Check the URL and try again.'],
  method_not_allowed: [
    'Page not found',
    'This URL only accepts submitted forms. Go back and submit the form again.',
  ],
  server_error: [
    'Something went wrong',
    'An error occurred on our side and was logged. Try again in a moment.',
  ],
  unavailable: ['Temporarily unavailable', 'Try again in a moment.'],
};
