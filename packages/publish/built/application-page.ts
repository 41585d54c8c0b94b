import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright';
import {
  donation,
  formSession,
  publicForm,
  pageSession,
} from '../../elements/src/test-support/server.ts';

const SCRIPTS = join(import.meta.dirname, '../../elements/dist');
const SERVER = 'https://giving.example.org';
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** The page of an application in a browser, on which `/app.js` is the application. */
export const APPLICATION_HTML =
  '<!doctype html><main></main><script type="module" src="/app.js"></script>';

interface Application {
  html?: string;
  script?: string | undefined;
  /** Handles the other requests to the application's own origin. */
  respond?: (path: string, route: Route) => Promise<void>;
  headers?: Record<string, string>;
}

/** What the application's elements have requested and logged so far. */
interface OpenedApplication {
  page: Page;
  /** `Authorization` headers of the requests for component sessions. */
  sessions: string[];
  /** Query parameters of the requests for donations. */
  queries: URLSearchParams[];
  /** Warnings and errors in the console. */
  problems: string[];
}

/** Opens an application, and fakes the Connect server and the API that its elements use. */
export async function openApplication(
  browser: Browser,
  { html = APPLICATION_HTML, script = '', headers = {}, respond }: Application,
): Promise<OpenedApplication> {
  const page = await browser.newPage();
  const opened: OpenedApplication = { page, sessions: [], queries: [], problems: [] };
  page.on('console', (message) => {
    if (/warning|error/.test(message.type())) opened.problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => opened.problems.push(message));
  await page.route('https://owner.example/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/app.js') {
      return route.fulfill({ contentType: 'text/javascript', body: script });
    }
    if (pathname === '/') return route.fulfill({ headers, contentType: 'text/html', body: html });
    return respond ? respond(pathname, route) : route.fulfill({ status: 404 });
  });
  await page.route(`${SERVER}/**`, (route) => respondAsServer(route, opened));
  await page.goto('https://owner.example/');
  return opened;
}

/** A component session as the fake server returns it. */
export const componentSession = () => ({
  ...pageSession(['donations']),
  api_base: `${SERVER}/api/v1`,
});

function respondAsServer(route: Route, { sessions, queries }: OpenedApplication): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url());
  if (pathname.endsWith('/component-sessions')) {
    if (route.request().method() === 'POST')
      sessions.push(route.request().headers()['authorization'] ?? 'no token');
    return route.fulfill({ headers: CORS, status: 201, json: componentSession() });
  }
  if (pathname.endsWith('/donations')) {
    queries.push(searchParams);
    const data = [donation(1, { donor_name: 'Ada Lovelace', amount_cents: 2500 })];
    return route.fulfill({ headers: CORS, json: { data, has_more: false, next_cursor: null } });
  }
  if (pathname.endsWith('/donations/summary'))
    return route.fulfill({ headers: CORS, json: { object: 'donation_summary', data: [] } });
  if (pathname.endsWith('/embed-form')) return route.fulfill({ headers: CORS, json: publicForm() });
  if (pathname.endsWith('/embed-sessions'))
    return route.fulfill({ headers: CORS, status: 201, json: formSession() });
  const path = join(SCRIPTS, pathname);
  return route.fulfill({ headers: CORS, contentType: 'text/javascript', path });
}
