import { Hono, type Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import type { Config } from './config.ts';
import { serveFile, fillPage, formatPolicy, readPage } from './static-pages.ts';
import { signViewerToken, USER, VIEWER_TOKEN_SECONDS } from './viewer-token.ts';

const COOKIE_NAME = 'tideline_user';
const SESSION_SECONDS = 8 * 3600;
/**
 * Creates the application of a platform's back office with three embedded tables.
 *
 * The platform decides who may see whose data. It signs a viewer token for the signed-in user,
 * which the BFF verifies: docs/decisions/0013-component-sessions.md
 */
export function createPlatformApp({ bffOrigin, apiOrigin, viewerSecret }: Config) {
  const signIn = fillPage(readPage('platform/sign-in.html'), bffOrigin, { user: USER });
  const dashboard = readPage('platform/index.html');
  const headers = { 'Content-Security-Policy': platformPolicy(bffOrigin, apiOrigin) };
  const userOf = (c: Context) => getSignedCookie(c, viewerSecret, COOKIE_NAME);
  const viewerToken = (user: string) => signViewerToken(viewerSecret, user);

  return new Hono({ strict: false })
    .use(csrf())
    .get('/platform.css', serveFile('platform/platform.css', 'text/css'))
    .get('/platform.js', serveFile('platform/platform.js', 'text/javascript'))
    .get('/favicon.svg', serveFile('platform/favicon.svg', 'image/svg+xml'))
    .get('/', async (c) => {
      const user = await userOf(c);
      if (!user) return c.html(signIn, 200, headers);
      const values = { user, viewer_token: await viewerToken(user) };
      return c.html(fillPage(dashboard, bffOrigin, values), 200, headers);
    })
    .get('/viewer-token', async (c) => {
      const user = await userOf(c);
      if (!user) return c.json({ error: 'Sign in first.' }, 401);
      return c.json({ token: await viewerToken(user), expires_in: VIEWER_TOKEN_SECONDS });
    })
    .post('/sign-in', async (c) => {
      await setSignedCookie(c, COOKIE_NAME, USER, viewerSecret, {
        path: '/platform',
        httpOnly: true,
        sameSite: 'Lax',
        maxAge: SESSION_SECONDS,
      });
      return c.redirect('/platform/', 303);
    })
    .post('/sign-out', (c) => {
      deleteCookie(c, COOKIE_NAME, { path: '/platform' });
      return c.redirect('/platform/', 303);
    });
}

/**
 * The content security policy of the platform's page. The tables need the BFF for their session and
 * the API for their rows, but not the card processor.
 */
const platformPolicy = (bffOrigin: string, apiOrigin: string) =>
  formatPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", bffOrigin],
    'connect-src': ["'self'", bffOrigin, apiOrigin],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['connect', 'lit-html'],
  });
