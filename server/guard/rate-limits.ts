import { networkPrefix } from '@connect-embed/contract/client-address';
import { z } from 'zod';
import { Limit, RateLimiter, throwIfLimited } from './rate-limiter.ts';

/**
 * A credential may send 120 requests in 60 s (spec: Limits). Any 60 s overlap at most seven windows
 * of 10 s, and 7 × 17 = 119, so this rate stays below the limit wherever the API's window starts.
 */
const CREDENTIAL_LIMIT: Limit = { points: 17, seconds: 10 };

/**
 * Limit for opening component sessions: less than half of the credential's rate, so that tables do
 * not delay donations for long.
 */
const COMPONENT_LIMIT: Limit = { points: 8, seconds: 10 };

/**
 * Limit for fetching campaign progress, on a platform for each organization. It is low, because progress
 * is cached and donations have priority.
 */
const CAMPAIGN_LIMIT: Limit = { points: 4, seconds: 10 };

/**
 * Limit for donation attempts of one visitor. A donor whose card is declined tries a few more
 * cards; a card tester tries hundreds.
 */
const DONATIONS_PER_VISITOR: Limit = { points: 12, seconds: 600 };

/**
 * Limit for donation attempts of one network address. It is high, because all guests of an event
 * may share one address. Donations need a proof of work long before this limit is reached.
 */
const DONATIONS_PER_ADDRESS: Limit = { points: 600, seconds: 600 };

/**
 * Limit for donation attempts on one form. A form under attack must leave some of the credential's
 * rate (102 a minute) to the other forms.
 */
const DONATIONS_PER_FORM: Limit = { points: 90, seconds: 60 };

/**
 * Limit for requests of one address that set up a website (the list of forms, site requests), which need no
 * token.
 */
const SETUP_PER_ADDRESS: Limit = { points: 30, seconds: 60 };

/**
 * Limit for site requests of one address, so that it cannot fill the 20 places of an organization. A
 * person asks for one website, and perhaps for a test of it.
 */
const SITE_REQUESTS_PER_ADDRESS: Limit = { points: 3, seconds: 3600 };

/**
 * Limit for site requests of all addresses. Anybody can send them, and each costs an API request of the
 * credential that donations need.
 */
const SITE_REQUESTS: Limit = { points: 20, seconds: 600 };

/** Limit for reporting to the owners that one website was refused a form: not at each visit of its pages. */
const REPORTS_PER_SITE: Limit = { points: 1, seconds: 3600 };

/**
 * Longest time that a request waits for the rate limiter. After a longer wait donors believe that
 * the page hangs; after a 429 the element shows that it waits.
 */
const MAX_WAIT_SECONDS = 10;

/** Limits of one process. Several processes with one credential must divide `credential` among them. */
export const LimitsConfig = z
  .strictObject({
    credential: Limit.default(CREDENTIAL_LIMIT),
    components: Limit.default(COMPONENT_LIMIT),
    campaigns: Limit.default(CAMPAIGN_LIMIT),
    visitor: Limit.default(DONATIONS_PER_VISITOR),
    address: Limit.default(DONATIONS_PER_ADDRESS),
    form: Limit.default(DONATIONS_PER_FORM),
    setup: Limit.default(SETUP_PER_ADDRESS),
    siteRequestsPerAddress: Limit.default(SITE_REQUESTS_PER_ADDRESS),
    siteRequests: Limit.default(SITE_REQUESTS),
    /** How long a request waits for the rate limiter before it is rejected with 429. */
    maxWaitSeconds: z.int().min(0).max(60).default(MAX_WAIT_SECONDS),
  })
  .prefault({});
export type LimitsConfig = z.output<typeof LimitsConfig>;

/** Rate limits for requests that need no token. */
export class SetupLimits {
  readonly #address: RateLimiter;
  readonly #siteRequestsOfAddress: RateLimiter;
  readonly #siteRequests: RateLimiter;
  readonly #refusedSites = new RateLimiter(REPORTS_PER_SITE);

  constructor(limits: LimitsConfig) {
    this.#address = new RateLimiter(limits.setup);
    this.#siteRequestsOfAddress = new RateLimiter(limits.siteRequestsPerAddress);
    this.#siteRequests = new RateLimiter(limits.siteRequests);
  }

  /** @throws {ConnectError} `rate_limited` */
  async consume(address: string | undefined): Promise<void> {
    if (address)
      throwIfLimited(await this.#address.consume(networkPrefix(address)), 'from this address');
  }

  /** Counts a site request that costs an API request. @throws {ConnectError} `rate_limited` */
  async consumeSiteRequest(address: string | undefined): Promise<void> {
    if (address) {
      const waitMs = await this.#siteRequestsOfAddress.consume(networkPrefix(address));
      throwIfLimited(waitMs, 'from this address to allow a website');
    }
    throwIfLimited(await this.#siteRequests.consume('all'), 'to allow a website');
  }

  /** Counts that a website was refused. @throws {ConnectError} `rate_limited` if it was reported already, or too much was */
  async consumeRefusedSite(origin: string, address: string | undefined): Promise<void> {
    throwIfLimited(await this.#refusedSites.consume(origin), 'to report a website');
    await this.consumeSiteRequest(address);
  }
}
