import { networkPrefix } from '@connect-embed/contract/client-address';
import { z } from 'zod';
import { Limit, RateLimiter } from '../rate-limiter.ts';

/** Limits of one process. Several processes with one credential must divide `credential` among them. */
export const LimitsConfig = z
  .strictObject({
    /**
     * A credential may send 120 requests in 60 s (spec: Limits). Any 60 s overlap at most seven windows of
     * 10 s, and 7 × 17 = 119, so this rate stays below the limit wherever the API's window starts.
     */
    credential: Limit.default({ points: 17, seconds: 10 }),
    /** Component sessions: less than half of the credential's rate, so that tables do not delay donations for long. */
    components: Limit.default({ points: 8, seconds: 10 }),
    /** Campaign progress, on a platform of each organization: it is cached, and donations have priority. */
    campaigns: Limit.default({ points: 4, seconds: 10 }),
    /**
     * Donation attempts of one visitor. A donor whose card is declined tries a few more cards; a card tester
     * tries hundreds.
     */
    visitor: Limit.default({ points: 12, seconds: 600 }),
    /**
     * Donation attempts of one network address, which all guests of an event may share. Donations need a proof
     * of work long before this limit is reached.
     */
    address: Limit.default({ points: 600, seconds: 600 }),
    /** Donation attempts on one form: a form under attack leaves some of the credential's rate to the others. */
    form: Limit.default({ points: 90, seconds: 60 }),
    /** Requests of one address that set up a website (the list of forms, site requests), which need no token. */
    setup: Limit.default({ points: 30, seconds: 60 }),
    /**
     * Site requests of one address, so that it cannot fill the 20 places of an organization. A person asks for
     * one website, and perhaps for a test of it.
     */
    siteRequestsPerAddress: Limit.default({ points: 3, seconds: 3600 }),
    /** Site requests of all addresses, because each costs an API request of the credential that donations need. */
    siteRequests: Limit.default({ points: 20, seconds: 600 }),
    /**
     * How long a request waits for the rate limiter before it is rejected with 429. After a longer wait donors
     * believe that the page hangs; after a 429 the element shows that it waits.
     */
    maxWaitSeconds: z.int().min(0).max(60).default(10),
  })
  .prefault({});

/** A website that was refused a form is reported to the owners, but not at each visit of its pages. */
const REPORTS_PER_SITE: Limit = { points: 1, seconds: 3600 };

/** Rate limits for requests that need no token. */
export class SetupLimits {
  readonly #address: RateLimiter;
  readonly #siteRequestsOfAddress: RateLimiter;
  readonly #siteRequests: RateLimiter;
  readonly #refusedSites = new RateLimiter(REPORTS_PER_SITE);

  constructor(limits: z.output<typeof LimitsConfig>) {
    this.#address = new RateLimiter(limits.setup);
    this.#siteRequestsOfAddress = new RateLimiter(limits.siteRequestsPerAddress);
    this.#siteRequests = new RateLimiter(limits.siteRequests);
  }

  /** @throws {ConnectError} `rate_limited` */
  async consume(address: string | undefined): Promise<void> {
    if (address)
      await this.#address.consumeOrThrow(
        networkPrefix(address),
        'Too many attempts from this address.',
      );
  }

  /** Counts a site request that costs an API request. @throws {ConnectError} `rate_limited` */
  async consumeSiteRequest(address: string | undefined): Promise<void> {
    if (address)
      await this.#siteRequestsOfAddress.consumeOrThrow(
        networkPrefix(address),
        'Too many attempts from this address to allow a website.',
      );
    await this.#siteRequests.consumeOrThrow('all', 'Too many attempts to allow a website.');
  }

  /** Counts that a website was refused. @throws {ConnectError} `rate_limited` if it was reported already, or too much was */
  async consumeRefusedSite(origin: string, address: string | undefined): Promise<void> {
    await this.#refusedSites.consumeOrThrow(origin, 'Too many attempts to report a website.');
    await this.consumeSiteRequest(address);
  }
}
