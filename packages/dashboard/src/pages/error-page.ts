import { statusOf, type ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Env } from '@connect-embed/api/http/env';
import type { RenderErrorPage } from '@connect-embed/api/http/error-handler';
import { notFoundView } from '@connect-embed/donor-pages/manage-subscription/secondary-views';
import { PAGE_HEADERS } from '@connect-embed/api/http/security-headers';
import { messagePage } from '@connect-embed/api/http/page-shell';

/** Matches paths that programs request. Their errors are JSON for any `Accept` header. */
const API_PATHS = /^\/(api|healthz|readyz|metrics|processor-events|\.well-known)(\/|$)/;

/**
 * Matches the path of the hosted donation form, which renders errors in the donor's language
 * itself: `hosted-form/error-page.ts` of the donor pages.
 */
const HOSTED_FORM_PATH = /^\/embed\/[^/]+$/;

/** Returns whether a browser requests a page to show to a person. */
const wantsHtml = (c: Context): boolean =>
  !API_PATHS.test(c.req.path) &&
  !HOSTED_FORM_PATH.test(c.req.path) &&
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html';

/**
 * Creates the function that renders an error as an HTML page, with a link to continue. The page
 * contains no more information than the JSON error.
 */
export const errorPages =
  (baseUrl: string): RenderErrorPage =>
  (c, error) =>
    wantsHtml(c) ? errorPage(c, error, baseUrl) : undefined;

async function errorPage(c: Context<Env>, error: ConnectError, baseUrl: string): Promise<Response> {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  if (error.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(error.retryAfterSeconds));
  }
  // The manage page of a recurring donation is shown in the donor's language and has no link to the
  // dashboard.
  if (c.req.path.startsWith('/plans/') && error.type === 'not_found') {
    return c.html(await notFoundView(baseUrl, c.req.header('accept-language')), 404);
  }
  const isDonorPage = /^\/(plans|embed)\//.test(c.req.path);
  const home = isDonorPage ? undefined : { href: '/dashboard', text: 'Go to the dashboard' };
  const [title, text] = TEXTS[error.type] ?? ['Something went wrong', error.message];
  return c.html(await messagePage(title, text, home), statusOf(error));
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
