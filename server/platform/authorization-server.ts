import { ConnectError } from '@connect-embed/contract';
import * as oauth from 'oauth4webapi';
import type { PlatformConfig } from './platform-config.ts';

const TIMEOUT_MS = 10_000;

/** Token response for a code or a refresh token. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Expiry of the access token, in milliseconds since 1970. */
  accessExpiresAt: number;
  /** Id of the organization that approved: an addition of the API to the OAuth standard. */
  organizationId: string;
}

/** Whether an error means that the approval was revoked, or that the tokens are invalid for another reason. */
export const isGrantRevoked = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant';

/** OAuth client of the API's authorization server (RFC 6749 with PKCE). */
export class AuthorizationServer {
  readonly #config: PlatformConfig;
  readonly #client: oauth.Client;
  readonly #secret: oauth.ClientAuth;
  readonly #now: () => number;
  #metadata: Promise<oauth.AuthorizationServer> | undefined;

  constructor(config: PlatformConfig, now: () => number) {
    this.#config = config;
    this.#client = { client_id: config.clientId };
    this.#secret = oauth.ClientSecretPost(config.clientSecret);
    this.#now = now;
  }

  /** Returns the URL at which a member of the organization approves the app. */
  async authorizeUrl(state: string, verifier: string): Promise<URL> {
    const { authorization_endpoint } = await this.#server();
    const url = new URL(authorization_endpoint ?? '');
    const params = {
      response_type: 'code',
      client_id: this.#config.clientId,
      redirect_uri: this.#config.redirectUri,
      scope: [...this.#config.scopes, 'offline_access'].join(' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return url;
  }

  /** @throws {oauth.AuthorizationResponseError} if the member did not approve */
  async exchangeCode(callback: URL, state: string, verifier: string): Promise<Tokens> {
    const server = await this.#server();
    const params = oauth.validateAuthResponse(server, this.#client, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      this.#secret,
      params,
      this.#config.redirectUri,
      verifier,
      this.#options(),
    );
    return this.#read(await oauth.processAuthorizationCodeResponse(server, this.#client, response));
  }

  /** @throws {oauth.ResponseBodyError} `invalid_grant` if the organization has revoked its approval */
  async refresh(refreshToken: string): Promise<Tokens> {
    const server = await this.#server();
    const response = await oauth.refreshTokenGrantRequest(
      server,
      this.#client,
      this.#secret,
      refreshToken,
      this.#options(),
    );
    return this.#read(await oauth.processRefreshTokenResponse(server, this.#client, response));
  }

  /** Revokes a refresh token and its access tokens (RFC 7009). A token that has ended is no error. */
  async revoke(refreshToken: string): Promise<void> {
    const server = await this.#server();
    const response = await oauth.revocationRequest(
      server,
      this.#client,
      this.#secret,
      refreshToken,
      this.#options(),
    );
    await oauth.processRevocationResponse(response);
  }

  #read(response: oauth.TokenEndpointResponse): Tokens {
    const { access_token, refresh_token, expires_in = 0, organization_id } = response;
    if (!refresh_token || typeof organization_id !== 'string')
      throw new ConnectError('unavailable', 'The API returned no refresh token or organization.');
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      accessExpiresAt: this.#now() + expires_in * 1000,
      organizationId: organization_id,
    };
  }

  /** The authorization server's metadata, which is fetched once; a failure is not cached. */
  #server(): Promise<oauth.AuthorizationServer> {
    this.#metadata ??= this.#discover().catch((error: unknown) => {
      this.#metadata = undefined;
      throw error;
    });
    return this.#metadata;
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#config.issuer);
    const options = { algorithm: 'oauth2', ...this.#options() } as const;
    const response = await oauth.discoveryRequest(issuer, options);
    return await oauth.processDiscoveryResponse(issuer, response);
  }

  /** Plain http is allowed on localhost only: docs/decisions/0018-oauth-library.md */
  #options() {
    const local = /^http:\/\/(localhost|127\.0\.0\.1)[:/]?/.test(this.#config.issuer);
    return { signal: () => AbortSignal.timeout(TIMEOUT_MS), [oauth.allowInsecureRequests]: local };
  }
}
