import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { html } from 'hono/html';
import type { Deps, Env } from '../deps.ts';
import { Encrypter } from '../platform/encrypter.ts';

const COOKIE = 'connect_oauth';
/** The time for the member to sign in, choose an organization and decide. */
const COOKIE_LIFETIME_SECONDS = 3600;

/**
 * OAuth client routes of platform mode: `GET /oauth/start` redirects a member of an organization to
 * approve this platform, and `GET /oauth/callback` exchanges the code (spec: OAuth 2.0
 * authorization code flow).
 */
export const oauthRoutes = (deps: Deps) => {
  const { platform } = deps;
  const platformConfig = deps.config.platform;
  const cookie = pendingAuthorizationCookie(deps.config);
  return new Hono<Env>()
    .get('/start', async (c) => {
      if (!platformConfig || !platform) throw notPlatformError();
      if (platformConfig.mayConnect && !(await platformConfig.mayConnect(c.req.raw))) {
        throw new ConnectError('forbidden', 'Sign in before you connect an organization.');
      }
      const { url, ...pendingAuthorization } = await platform.startAuthorization();
      await cookie.set(c, pendingAuthorization);
      return c.redirect(url.href, 303);
    })
    .get('/callback', async (c) => {
      if (!platformConfig || !platform) throw notPlatformError();
      const callback = new URL(c.req.url);
      const pendingAuthorization = await cookie.take(c);
      const { afterUrl, onConnected } = platformConfig;
      const respondAsStale = () => {
        if (c.req.header('accept')?.includes('text/html'))
          return c.html(staleCallbackPage(afterUrl), 400);
        throw invalidRequest('state', 'does not belong to a pending connection. Start again.');
      };
      // A member may have begun twice, in two tabs: the cookie is that of the later one.
      if (
        !pendingAuthorization ||
        pendingAuthorization.state !== callback.searchParams.get('state')
      )
        return respondAsStale();
      try {
        const organization = await platform.completeAuthorization(callback, pendingAuthorization);
        await onConnected?.(organization, c.req.raw);
        return c.redirect(urlWithQuery(afterUrl, { organization }), 303);
      } catch (error) {
        // The code has been used, or is too old.
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
          return respondAsStale();
        if (!(error instanceof AuthorizationResponseError)) throw toConnectError(error);
        return c.redirect(urlWithQuery(afterUrl, { error: error.error }), 303);
      }
    });
};

/** What a member sees after Back or a reload, or after too long a time. The connection may exist already. */
const staleCallbackPage = (afterUrl: string) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>This page has expired</title>
      </head>
      <body>
        <h1>This page has expired</h1>
        <p>
          It can be opened once, in the browser in which you began. Your organization may be
          connected already.
        </p>
        <p>
          <a href="${afterUrl}">Continue at ${new URL(afterUrl).host}</a>, and connect again there
          if it is not.
        </p>
      </body>
    </html>`;

interface PendingAuthorization {
  state: string;
  verifier: string;
}

/**
 * Keeps state and PKCE verifier between the two requests of the flow. The callback works only in the browser that
 * started the flow, and any process can handle it.
 */
function pendingAuthorizationCookie({ sessionSecret, platform, now }: Deps['config']) {
  const encrypter = new Encrypter(sessionSecret, 'platform connection');
  const options = {
    path: new URL(platform?.redirectUri ?? 'http://localhost/').pathname,
    secure: platform?.redirectUri.startsWith('https:') ?? false,
    httpOnly: true,
    sameSite: 'Lax',
  } as const;
  return {
    async set(c: Context, pending: PendingAuthorization) {
      const expiresAtSeconds = Math.floor(now() / 1000) + COOKIE_LIFETIME_SECONDS;
      const value = await encrypter.encrypt({ ...pending }, expiresAtSeconds);
      setCookie(c, COOKIE, value, { ...options, maxAge: COOKIE_LIFETIME_SECONDS });
    },
    /** Reads and deletes the cookie; undefined if it is missing, was changed, or has expired. */
    async take(c: Context) {
      const value = deleteCookie(c, COOKIE, options);
      return await encrypter.decrypt<PendingAuthorization>(value, now());
    },
  };
}

function urlWithQuery(base: string, params: Record<string, string>): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

const toConnectError = (error: unknown) =>
  error instanceof ConnectError
    ? error
    : invalidRequest('code', 'could not connect the organization. Start again.', { cause: error });

export const notPlatformError = () =>
  new ConnectError(
    'not_found',
    'This server is not configured as a platform. Set "platform" in its configuration.',
  );
