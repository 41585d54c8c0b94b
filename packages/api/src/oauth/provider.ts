import { timingSafeEqual } from 'node:crypto';
import type { ParsedUrlQuery } from 'node:querystring';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../db/schema.ts';
import { hashToken } from '../lib/id.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import { deriveSecret } from '../lib/encrypter.ts';
import { createAdapters } from './adapters.ts';
import { configuration } from './configuration.ts';
import { renderOauthError } from './error-page.ts';
import { OAUTH_PATH } from './paths.ts';

/** Parameters of an OAuth 2.0 authorization request. All others are ignored (RFC 6749, 3.1). */
const AUTHORIZE_PARAMS = new Set(
  'response_type response_mode client_id redirect_uri scope state code_challenge code_challenge_method prompt'.split(
    ' ',
  ),
);

/**
 * Configures the OAuth authorization server (library `oidc-provider`):
 * docs/decisions/0018-oauth-library.md
 *
 * The library validates and handles every request of the protocol. Our parts are the tables, the
 * consent page and the token prefixes, which secret scanners recognize.
 */
export function openProvider(db: Db, options: { secret: Secrets; baseUrl: string }): Provider {
  const provider = new Provider(options.baseUrl, {
    ...configuration(db),
    renderError: async (ctx, oauthError) => {
      ctx.type = 'html';
      ctx.body = await renderOauthError(oauthError);
    },
    adapter: createAdapters(db),
    cookies: cookieOptions(
      listSecrets(options.secret).map((secret) => deriveSecret(secret, 'oauth-cookie')),
    ),
  });
  // The library trusts the forwarded headers, which `authorization-server.ts` sets from the
  // configuration.
  provider.proxy = true;
  setSecurityHeaders(provider);
  requireConsentEveryTime(provider);
  conformToRfc6749(provider);
  addOrganizationId(provider);
  prefixTokens(provider);
  compareHashedSecrets(provider);
  allowLoopbackPorts(provider);
  return provider;
}

const cookieOptions = (keys: string[]): NonNullable<Configuration['cookies']> => {
  const options = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
  return {
    keys,
    names: { session: 'connect.oauth', interaction: 'connect.consent', resume: 'connect.resume' },
    long: { ...options, path: OAUTH_PATH },
    short: options,
  };
};

/**
 * Sets the security headers. The library writes to Node's response directly, bypassing the
 * middleware of our other routes. `Referrer-Policy` is stricter than on our pages, because these
 * responses contain no forms of ours.
 */
function setSecurityHeaders(provider: Provider): void {
  provider.use(async (ctx, next) => {
    ctx.set({ ...PAGE_HEADERS, 'Referrer-Policy': 'no-referrer' });
    await next();
  });
}

/**
 * Shows the consent page for every request, because the member chooses an organization for each
 * approval. A request with `prompt=none` is rejected with an error.
 */
function requireConsentEveryTime(provider: Provider): void {
  provider.use(async (ctx, next) => {
    if (ctx.path === `${OAUTH_PATH}/authorize`) {
      const knownParams = Object.entries(ctx.query).filter(([name]) => AUTHORIZE_PARAMS.has(name));
      const prompt = ctx.query['prompt'] === 'none' ? 'none' : 'consent';
      ctx.query = { ...Object.fromEntries(knownParams), ...allowedResponseMode(ctx.query), prompt };
    }
    await next();
  });
}

/**
 * Makes the library reject `response_mode=form_post`. The specification's callback is a redirect,
 * while `form_post` would be a page that runs a script and posts to another site. The library has
 * no setting to disable this mode, so the mode is replaced by an unknown one, which the library
 * rejects with `unsupported_response_mode`.
 */
const allowedResponseMode = ({ response_mode }: ParsedUrlQuery) =>
  [response_mode].flat().includes('form_post') ? { response_mode: 'form_post_disabled' } : {};

/**
 * Corrects the responses where the library does not conform to RFC 6749: the error for a request
 * without any client secret is `invalid_client` too (5.2), every 401 has a `WWW-Authenticate`
 * header (RFC 9110, 15.5.2), and token responses have `Pragma: no-cache` (5.1).
 */
function conformToRfc6749(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const { error_description } = (ctx.body ?? {}) as { error_description?: string };
    if (error_description === 'no client authentication mechanism provided') {
      ctx.body = { error: 'invalid_client', error_description };
      ctx.status = 401;
    }
    if (ctx.status === 401 && !ctx.response.get('WWW-Authenticate')) {
      ctx.set('WWW-Authenticate', `Basic realm="${provider.issuer}", error="invalid_client"`);
    }
    if (ctx.path === `${OAUTH_PATH}/token`) ctx.set('Pragma', 'no-cache');
  });
}

/**
 * Adds `organization_id` to the token response, because an app has to keep the tokens of many
 * organizations apart. This is an addition to the specification.
 */
function addOrganizationId(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const token = (ctx as Partial<KoaContextWithOIDC>).oidc?.entities.AccessToken;
    if (ctx.path === `${OAUTH_PATH}/token` && token?.extra && ctx.status === 200) {
      ctx.body = { ...(ctx.body as object), ...token.extra };
    }
  });
}

/**
 * Adds our prefixes to tokens (spec: Authentication). The library generates the 256 random bits.
 */
function prefixTokens({ AccessToken, RefreshToken }: Provider): void {
  for (const [{ prototype }, prefix] of [
    [AccessToken, 'gba_'],
    [RefreshToken, 'gbr_'],
  ] as const) {
    const model = prototype as unknown as { generateTokenId(): string };
    const generate = model.generateTokenId;
    model.generateTokenId = function generateTokenId() {
      return prefix + generate.call(this);
    };
  }
}

/**
 * Compares client secrets by SHA-256, which is how they are stored. A slow hash is not necessary
 * for 256 random bits.
 */
function compareHashedSecrets({ Client }: Provider): void {
  const client = Client.prototype as unknown as {
    clientSecret: string;
    compareClientSecret(secret: string): boolean;
  };
  client.compareClientSecret = function compareClientSecret(secret) {
    return timingSafeEqual(hashToken(secret), Buffer.from(this.clientSecret, 'hex'));
  };
}

/**
 * Accepts every port of a registered loopback address, because a program on a computer listens on
 * the port that is free (RFC 8252, 7.3). Everything else of a redirect URI must be equal. The
 * library does this only for apps of the type `native`, for which it refuses `https://localhost`.
 */
function allowLoopbackPorts({ Client }: Provider): void {
  const client = Client.prototype as unknown as {
    redirectUris: string[];
    redirectUriAllowed(uri: string): boolean;
  };
  client.redirectUriAllowed = function redirectUriAllowed(uri) {
    if (this.redirectUris.includes(uri)) return true;
    return URL.canParse(uri) && this.redirectUris.map(withoutPort).includes(withoutPort(uri));
  };
}

/** Removes the port of an `http` URI whose host is a loopback IP address. */
const withoutPort = (uri: string) =>
  uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+(?=[/?]|$)/, '$1');
