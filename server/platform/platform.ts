import { ConnectError } from '@connect-embed/contract';
import * as oauth from 'oauth4webapi';
import { AuthorizationServer, isGrantRevoked, type Tokens } from './authorization-server.ts';
import type { PlatformConfig } from './platform-config.ts';
import { Encrypter } from './encrypter.ts';
import { memoryTokenStore, type TokenStore } from './token-store.ts';

/** An access token with less life than this is replaced first, so that no call outlives its own. */
const REFRESH_BEFORE_MS = 60_000;
/** As long as the API's refresh token; each refresh begins anew. */
const TOKEN_LIFETIME_SECONDS = 30 * 86_400;

interface PlatformDeps {
  config: PlatformConfig;
  secret: string;
  now: () => number;
  /** Asks the API whose token it is, where the token's answer did not say. */
  organizationOf(accessToken: string): Promise<string>;
}

/** The tokens of every organization that has connected: made, kept sealed, refreshed in time. */
export class Platform {
  readonly #server: AuthorizationServer;
  readonly #store: TokenStore;
  readonly #seal: Encrypter;
  readonly #deps: PlatformDeps;
  readonly #refreshing = new Map<string, Promise<string>>();

  constructor(deps: PlatformDeps) {
    this.#deps = deps;
    this.#server = new AuthorizationServer(deps.config, deps.now);
    this.#store = deps.config.tokens ?? memoryTokenStore();
    this.#seal = new Encrypter(deps.secret, 'platform tokens');
  }

  /** Begins a connection: where to send the browser, and what to remember of it meanwhile. */
  async begin() {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    return { url: await this.#server.authorizeUrl(state, verifier), state, verifier };
  }

  /** @returns the organization that is connected now */
  async finish(callback: URL, { state, verifier }: { state: string; verifier: string }) {
    const tokens = await this.#server.exchangeCode(callback, state, verifier);
    const organizationId =
      tokens.organizationId ?? (await this.#deps.organizationOf(tokens.accessToken));
    await this.#keep(organizationId, tokens);
    return organizationId;
  }

  /**
   * A token of the organization that is good for the next minute at least.
   *
   * @throws {ConnectError} `forbidden` when the organization has not connected, or no longer is
   */
  async accessToken(organizationId: string): Promise<string> {
    const sealed = await this.#store.get(organizationId);
    const tokens = await this.#seal.open<Tokens>(sealed, this.#deps.now());
    if (!tokens) throw notConnected(organizationId);
    if (tokens.accessExpiresAt - this.#deps.now() > REFRESH_BEFORE_MS) return tokens.accessToken;
    return await this.#refreshOnce(organizationId, tokens.refreshToken);
  }

  /** After the API has refused a token before its time: the organization may have disconnected. */
  async renew(organizationId: string): Promise<string> {
    const sealed = await this.#store.get(organizationId);
    const tokens = await this.#seal.open<Tokens>(sealed, this.#deps.now());
    if (!tokens) throw notConnected(organizationId);
    return await this.#refreshOnce(organizationId, tokens.refreshToken);
  }

  /** However many calls need it at once, one refreshes. */
  #refreshOnce(organizationId: string, refreshToken: string): Promise<string> {
    const running = this.#refreshing.get(organizationId);
    if (running) return running;
    const refreshing = this.#refresh(organizationId, refreshToken).finally(() =>
      this.#refreshing.delete(organizationId),
    );
    this.#refreshing.set(organizationId, refreshing);
    return refreshing;
  }

  async #refresh(organizationId: string, refreshToken: string): Promise<string> {
    try {
      const tokens = await this.#server.refresh(refreshToken);
      await this.#keep(organizationId, tokens);
      return tokens.accessToken;
    } catch (error) {
      if (!isGrantRevoked(error)) throw unreachable(error);
      await this.#store.delete(organizationId);
      throw notConnected(organizationId, error);
    }
  }

  async #keep(organizationId: string, tokens: Tokens): Promise<void> {
    const until = Math.floor(this.#deps.now() / 1000) + TOKEN_LIFETIME_SECONDS;
    await this.#store.set(organizationId, await this.#seal.encrypt({ ...tokens }, until));
  }
}

const notConnected = (organizationId: string, cause?: unknown) =>
  new ConnectError('forbidden', `${organizationId} has not connected this platform.`, { cause });

const unreachable = (cause: unknown) =>
  new ConnectError('unavailable', 'The Connect API cannot be reached.', {
    cause,
    retryAfterSeconds: 5,
  });
