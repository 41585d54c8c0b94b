import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { AuthorizationResponseError } from 'oauth4webapi';
import type { Deps, Env } from '../env.ts';
import { Encrypter } from '../platform/encrypter.ts';

const COOKIE = 'connect_oauth';
/**
 * Lifetime of the cookie: the time for the member to sign in, choose an organization and decide.
 */
const COOKIE_LIFETIME_SECONDS = 3600;

interface PendingAuthorization {
  state: string;
  verifier: string;
}

/**
 * OAuth client routes of platform mode: `GET /oauth/start` redirects a member of an organization to
 * approve this platform, and `GET /oauth/callback` exchanges the code (spec: OAuth 2.0
 * authorization code flow).
 *
 * Between the two requests, state and PKCE verifier are in an encrypted cookie. Therefore the
 * callback works only in the browser that started the flow, and any process can handle it.
 */
export const oauthRoutes = ({ config, platform, now }: Deps) => {
  const encrypter = new Encrypter(config.sessionSecret, 'platform connection');
  const platformConfig = config.platform;
  const cookie = {
    path: new URL(platformConfig?.redirectUri ?? 'http://localhost/').pathname,
    secure: platformConfig?.redirectUri.startsWith('https:') ?? false,
    httpOnly: true,
    sameSite: 'Lax',
  } as const;

  const redirectAfter = (c: Context<Env>, params: Record<string, string>) => {
    const url = new URL(platformConfig?.afterUrl ?? '');
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return c.redirect(url.href, 303);
  };

  return new Hono<Env>()
    .get('/start', async (c) => {
      if (!platformConfig || !platform) throw notPlatformError();
      if (platformConfig.mayConnect && !(await platformConfig.mayConnect(c.req.raw))) {
        throw new ConnectError('forbidden', 'Sign in before you connect an organization.');
      }
      const { url, ...pendingAuthorization } = await platform.startAuthorization();
      const expiresAtSeconds = Math.floor(now() / 1000) + COOKIE_LIFETIME_SECONDS;
      setCookie(c, COOKIE, await encrypter.encrypt(pendingAuthorization, expiresAtSeconds), {
        ...cookie,
        maxAge: COOKIE_LIFETIME_SECONDS,
      });
      return c.redirect(url.href, 303);
    })
    .get('/callback', async (c) => {
      if (!platformConfig || !platform) throw notPlatformError();
      const pendingAuthorization = await encrypter.decrypt<PendingAuthorization>(
        getCookie(c, COOKIE),
        now(),
      );
      deleteCookie(c, COOKIE, cookie);
      if (!pendingAuthorization) {
        throw invalidRequest('state', 'does not belong to a pending connection. Start again.');
      }
      try {
        const organizationId = await platform.completeAuthorization(
          new URL(c.req.url),
          pendingAuthorization,
        );
        await platformConfig.onConnected?.(organizationId, c.req.raw);
        return redirectAfter(c, { organization: organizationId });
      } catch (error) {
        if (error instanceof AuthorizationResponseError)
          return redirectAfter(c, { error: error.error });
        if (error instanceof ConnectError) throw error;
        throw invalidRequest('code', 'could not connect the organization. Start again.', {
          cause: error,
        });
      }
    });
};

const notPlatformError = () =>
  new ConnectError(
    'not_found',
    'This server is not configured as a platform. Set "platform" in its configuration.',
  );
