import { Hono, type Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { sign } from 'hono/jwt';
import type { Config } from './config.ts';
import { file, fillPage, formatPolicy, readPage } from './static-pages.ts';

const COOKIE = 'tideline_user';
const SIGNED_IN_SECONDS = 8 * 3600;
/** Short, to limit the use of a leaked token; the page renews it in time. */
const TOKEN_SECONDS = 3600;

/** The only user of this demo. A real platform has its own accounts. */
const USER = 'dana@tideline.example';

/**
 * A platform's back office with three embedded tables.
 *
 * The platform decides who may see whose data. It signs a viewer token for the signed-in user,
 * which the BFF verifies: docs/decisions/0013-component-sessions.md
 */
export function platform({ serverOrigin, apiOrigin, viewerSecret }: Config) {
  const signIn = fillPage(readPage('platform/sign-in.html'), serverOrigin, { user: USER });
  const dashboard = readPage('platform/index.html');
  const headers = { 'Content-Security-Policy': platformPolicy(serverOrigin, apiOrigin) };
  const userOf = (c: Context) => getSignedCookie(c, viewerSecret, COOKIE);
  const viewerToken = (user: string) => signViewerToken(user, viewerSecret);

  return new Hono({ strict: false })
    .use(csrf())
    .get('/platform.css', file('platform/platform.css', 'text/css'))
    .get('/platform.js', file('platform/platform.js', 'text/javascript'))
    .get('/favicon.svg', file('platform/favicon.svg', 'image/svg+xml'))
    .get('/', async (c) => {
      const user = await userOf(c);
      if (!user) return c.html(signIn, 200, headers);
      const values = { user, viewer_token: await viewerToken(user) };
      return c.html(fillPage(dashboard, serverOrigin, values), 200, headers);
    })
    .get('/viewer-token', async (c) => {
      const user = await userOf(c);
      if (!user) return c.json({ error: 'Sign in first.' }, 401);
      return c.json({ token: await viewerToken(user), expires_in: TOKEN_SECONDS });
    })
    .post('/sign-in', async (c) => {
      await setSignedCookie(c, COOKIE, USER, viewerSecret, {
        path: '/platform',
        httpOnly: true,
        sameSite: 'Lax',
        maxAge: SIGNED_IN_SECONDS,
      });
      return c.redirect('/platform/', 303);
    })
    .post('/sign-out', (c) => {
      deleteCookie(c, COOKIE, { path: '/platform' });
      return c.redirect('/platform/', 303);
    });
}

/**
 * The tables need the BFF for their session and the API for their rows; they do not need the card
 * processor.
 */
const platformPolicy = (serverOrigin: string, apiOrigin: string) =>
  formatPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", serverOrigin],
    'connect-src': ["'self'", serverOrigin, apiOrigin],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['lit-html', 'connect'],
  });

function signViewerToken(user: string, secret: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return sign({ sub: user, iat: now, exp: now + TOKEN_SECONDS }, secret, 'HS256');
}
