import { ConnectError } from '@connect-embed/contract';
import type { Secrets } from '@connect-embed/contract/secrets';
import * as oauth from 'oauth4webapi';
import { AuthorizationServer, isGrantRevoked, type Tokens } from './authorization-server.ts';
import type { OnDisconnected, PlatformConfig } from './platform-config.ts';
import { Encrypter } from './encrypter.ts';
import { memoryTokenStore, type TokenStore } from './token-store.ts';

/** An access token with less lifetime left is refreshed first, so that none expires during a request. */
const REFRESH_BEFORE_MS = 60_000;
/** The lifetime of the API's refresh token; each refresh returns a new one. */
const TOKEN_LIFETIME_SECONDS = 30 * 86_400;

/** Stores the encrypted tokens of all connected organizations and refreshes them before they expire. */
export class PlatformConnections {
  readonly #server: AuthorizationServer;
  readonly #store: TokenStore;
  readonly #encrypter: Encrypter;
  readonly #now: () => number;
  readonly #onDisconnected: OnDisconnected | undefined;
  readonly #pendingRefreshes = new Map<string, Promise<string>>();

  constructor(config: PlatformConfig, secret: Secrets, now: () => number) {
    this.#server = new AuthorizationServer(config, now);
    this.#store = config.tokens ?? memoryTokenStore();
    this.#encrypter = new Encrypter(secret, 'platform tokens');
    this.#now = now;
    this.#onDisconnected = config.onDisconnected;
  }

  /** Returns the URL to which the browser is redirected, and what the caller stores until the callback. */
  async startAuthorization() {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    return { url: await this.#server.authorizeUrl(state, verifier), state, verifier };
  }

  /** Stores the tokens for the code of the callback. Returns the id of the connected organization. */
  async completeAuthorization(
    callback: URL,
    { state, verifier }: { state: string; verifier: string },
  ) {
    const tokens = await this.#server.exchangeCode(callback, state, verifier);
    await this.#saveTokens(tokens.organizationId, tokens);
    return tokens.organizationId;
  }

  /**
   * Returns an access token of the organization that is valid for at least a minute.
   *
   * @throws {ConnectError} `forbidden` if the organization is not connected, or has disconnected
   */
  async accessToken(organizationId: string): Promise<string> {
    const tokens = await this.#loadTokens(organizationId);
    if (tokens.accessExpiresAt - this.#now() > REFRESH_BEFORE_MS) return tokens.accessToken;
    return await this.#refreshOnce(organizationId, tokens.refreshToken);
  }

  /** Refreshes a token that the API rejects before its expiry: the organization may have disconnected. */
  async refreshRejectedToken(organizationId: string): Promise<string> {
    const { refreshToken } = await this.#loadTokens(organizationId);
    return await this.#refreshOnce(organizationId, refreshToken);
  }

  /**
   * Revokes the tokens of an organization at the API and deletes them, if it is connected.
   *
   * @throws {ConnectError} `unavailable` if the API cannot be reached; the tokens are kept
   */
  async disconnect(organizationId: string): Promise<void> {
    const tokens = await this.#findTokens(organizationId);
    if (!tokens) return;
    await this.#server.revoke(tokens.refreshToken).catch((error: unknown) => {
      throw unreachableError(error);
    });
    await this.#store.delete(organizationId);
  }

  /** @throws {ConnectError} `forbidden` without tokens that were stored for this organization */
  async #loadTokens(organizationId: string): Promise<Tokens> {
    const tokens = await this.#findTokens(organizationId);
    if (!tokens) throw notConnectedError(organizationId);
    return tokens;
  }

  async #findTokens(organizationId: string): Promise<Tokens | undefined> {
    const encrypted = await this.#store.get(organizationId);
    return await this.#encrypter.decrypt<Tokens>(encrypted, this.#now(), organizationId);
  }

  /** Concurrent calls share one refresh. */
  #refreshOnce(organizationId: string, refreshToken: string): Promise<string> {
    const pendingRefresh = this.#pendingRefreshes.get(organizationId);
    if (pendingRefresh) return pendingRefresh;
    const refresh = this.#refresh(organizationId, refreshToken).finally(() =>
      this.#pendingRefreshes.delete(organizationId),
    );
    this.#pendingRefreshes.set(organizationId, refresh);
    return refresh;
  }

  async #refresh(organizationId: string, refreshToken: string): Promise<string> {
    try {
      const tokens = await this.#server.refresh(refreshToken);
      await this.#saveTokens(organizationId, tokens);
      return tokens.accessToken;
    } catch (error) {
      if (!isGrantRevoked(error)) throw unreachableError(error);
      await this.#store.delete(organizationId);
      await this.#onDisconnected?.(organizationId);
      throw notConnectedError(organizationId, error);
    }
  }

  async #saveTokens(organizationId: string, tokens: Tokens): Promise<void> {
    const expiresAtSeconds = Math.floor(this.#now() / 1000) + TOKEN_LIFETIME_SECONDS;
    const payload = { ...tokens, sub: organizationId };
    await this.#store.set(organizationId, await this.#encrypter.encrypt(payload, expiresAtSeconds));
  }
}

const notConnectedError = (organizationId: string, cause?: unknown) =>
  new ConnectError('forbidden', `${organizationId} has not connected this platform.`, {
    code: 'organization_not_connected',
    cause,
  });

const unreachableError = (cause: unknown) =>
  new ConnectError('unavailable', 'The Connect API cannot be reached.', {
    cause,
    retryAfterSeconds: 5,
  });
