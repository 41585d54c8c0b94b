import { ConnectClient, ConnectError, statusOf } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { RateLimiter, rateLimitedError } from './rate-limiter.ts';
import { describeError } from './log.ts';
import type { PlatformConnections } from './platform/platform.ts';

/** `Retry-After` while the API is unavailable: long enough for its restart, the usual cause. */
const FAULT_RETRY_SECONDS = 5;

/** `Retry-After` after a rejected credential, which a person must fix. */
const SETUP_RETRY_SECONDS = 60;

const PING_TIMEOUT_MS = 2000;

const CREDENTIAL_CHECK_INTERVAL_MS = 60_000;

type ApiCall<Result> = (client: ConnectClient) => Promise<Result>;

/**
 * The BFF's client of the Connect API. Limits requests to the credential's rate, and maps errors to
 * those that a page may receive.
 */
export class Upstream {
  readonly #platform: PlatformConnections | undefined;
  readonly #rateLimiter: RateLimiter;
  readonly #config: ResolvedConfig;
  #isCredentialRejected = false;
  #credentialCheckedAt = -Infinity;

  constructor(config: ResolvedConfig, platform?: PlatformConnections) {
    this.#platform = platform;
    this.#rateLimiter = new RateLimiter(config.limits.credential);
    this.#config = config;
  }

  /**
   * Calls the API within the rate limit. After a 429 it waits and retries, for a bounded total time.
   *
   * @param organization on a platform: the connected organization whose token and rate limit are
   * used
   * @throws {ConnectError} `rate_limited` or `unavailable` with `Retry-After`, or the API's error
   * about the request of the page
   */
  async call<Result>(apiCall: ApiCall<Result>, organization?: string): Promise<Result> {
    if (!organization && !this.#config.apiKey) throw noCredentialError();
    const deadline = Date.now() + this.#config.limits.maxWaitSeconds * 1000;
    const credential = organization ?? 'credential';
    for (;;) {
      await this.#waitForRateLimit(credential, deadline);
      try {
        if (organization) return await this.#callFor(organization, apiCall);
        const response = await apiCall(this.#clientWith(this.#config.apiKey));
        this.#isCredentialRejected = false;
        return response;
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        // Other codes than that of the type concern one donor: the limit on cards, the queue before Stripe.
        if (error.code !== 'rate_limited') throw await this.#translate(error, organization);
        await this.#rateLimiter.block(credential, error.retryAfterSeconds ?? 1);
      }
    }
  }

  /** Refreshes a rejected token once. If the new one is rejected too, the organization has disconnected. */
  async #callFor<Result>(organization: string, apiCall: ApiCall<Result>): Promise<Result> {
    const platform = this.#platform;
    if (!platform) throw noCredentialError(organization);
    try {
      return await apiCall(this.#clientWith(await platform.accessToken(organization)));
    } catch (error) {
      if (!(error instanceof ConnectError) || error.type !== 'unauthorized') throw error;
      return await apiCall(this.#clientWith(await platform.refreshRejectedToken(organization)));
    }
  }

  /** A client that does not retry, because this class delays all calls of the credential together. */
  #clientWith(token = ''): ConnectClient {
    const { apiBase, fetch } = this.#config;
    return new ConnectClient({ apiBase, token, fetch, maxRetryWaitMs: 0 });
  }

  /** @throws {ConnectError} at once if the wait would exceed the deadline */
  async #waitForRateLimit(credential: string, deadline: number): Promise<void> {
    for (;;) {
      const waitMs = await this.#rateLimiter.consume(credential);
      if (waitMs === 0) return;
      if (Date.now() + waitMs > deadline)
        throw rateLimitedError('Too many requests right now.', waitMs);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** Keeps errors that the page can act on; configuration and API faults become `unavailable`. */
  async #translate(error: ConnectError, organization?: string): Promise<ConnectError> {
    // With an organization's own token, a 4xx does not mean that our configuration is wrong.
    const status = statusOf(error);
    if (organization && status < 500) return error;
    const { apiKey, log } = this.#config;
    if (status === 401 || status === 403) {
      if (status === 401) this.#isCredentialRejected = true; // With a missing scope (403) donations may still work.
      // A new installation is in this state until its owner opens the link.
      if (status === 401 && isWaitingForSetup(await this.#getReadiness()))
        log.info({}, 'nobody has set up the API yet');
      else log.error(describeError(error, apiKey), 'the API rejected the credential');
      const message =
        status === 401
          ? 'The API does not know the key of this server. Complete the setup of the API, or correct CONNECT_API_KEY.'
          : `The API rejected this server's credential (${error.type}). See the log of this server.`;
      return new ConnectError('unavailable', message, {
        code: 'credential_rejected',
        retryAfterSeconds: SETUP_RETRY_SECONDS,
        cause: error,
      });
    }
    if (status >= 500) {
      log.warn(describeError(error, apiKey), 'the API is not available');
      const { retryAfterSeconds = FAULT_RETRY_SECONDS } = error;
      const message = `The service cannot be reached. Try again in ${retryAfterSeconds} seconds.`;
      return new ConnectError('unavailable', message, { retryAfterSeconds, cause: error });
    }
    return error;
  }

  /**
   * Checks that the API is ready and accepts the credential.
   *
   * The credential is sent once a minute, because each use counts against its limit. While the API rejects it,
   * every check sends it, so that the server notices the fix even without donors.
   *
   * @throws {ConnectError} `unavailable` with the code `api_unavailable`, `credential_rejected` or
   * `setup_incomplete`
   */
  async ping(): Promise<void> {
    const { apiBase, apiKey, now } = this.#config;
    const isCheckDue = now() - this.#credentialCheckedAt >= CREDENTIAL_CHECK_INTERVAL_MS;
    const ready = await this.#getReadiness();
    if (ready.status >= 500) {
      const message = `The Connect API is not ready, or does not respond within ${PING_TIMEOUT_MS} ms.`;
      const retryAfterSeconds = FAULT_RETRY_SECONDS;
      throw new ConnectError('unavailable', message, {
        code: 'api_unavailable',
        retryAfterSeconds,
      });
    }
    if (!apiKey || !(this.#isCredentialRejected || isCheckDue)) return;
    const { status } = await this.#get(`${apiBase}/organization`, apiKey);
    if (status >= 500) return; // Repeated at the next check.
    this.#credentialCheckedAt = now();
    this.#isCredentialRejected = status === 401;
    if (!this.#isCredentialRejected) return;
    const [message, code] = isWaitingForSetup(ready)
      ? (['Nobody has set up the API yet.', 'setup_incomplete'] as const)
      : (['The API rejects the credential.', 'credential_rejected'] as const);
    const retryAfterSeconds = SETUP_RETRY_SECONDS;
    throw new ConnectError('unavailable', message, { code, retryAfterSeconds });
  }

  /** Any status below 500 means that the API responds: behind a proxy, /readyz may not exist. */
  #getReadiness(): Promise<Reply> {
    return this.#get(`${this.#config.apiBase.replace(/\/api\/v1\/?$/, '')}/readyz`);
  }

  /** Sends a GET request; the status is 503 if there is no response in time. */
  async #get(url: string, token?: string): Promise<Reply> {
    const headers = {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const signal = AbortSignal.timeout(PING_TIMEOUT_MS);
    const { fetch } = this.#config;
    try {
      const response = await fetch(url, { method: 'GET', headers, signal });
      const body = (await response.json().catch(() => undefined)) as Reply['body'];
      return { status: response.status, body };
    } catch {
      return { status: 503, body: undefined };
    }
  }
}

interface Reply {
  status: number;
  /** The JSON body; undefined if it is not JSON. */
  body: { status?: unknown } | null | undefined;
}

const isWaitingForSetup = ({ body }: Reply) => body?.status === 'waiting_for_setup';

const noCredentialError = (organization = 'Organization is missing') =>
  new ConnectError('forbidden', `${organization}: this server has no credential for it.`, {
    code: 'organization_not_connected',
  });
