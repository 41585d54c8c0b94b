import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// Not from the package's root: that one needs node:cluster and would not run at the edge.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';

const Limit = z.strictObject({ points: z.int().min(1), seconds: z.int().min(1) });
type Limit = z.infer<typeof Limit>;

/**
 * A credential may ask 120 times in 60 s (spec: Limits). Any 60 s touch at most seven windows of
 * 10 s, and 7 × 17 = 119: the pace never runs into the limit, wherever the API's window begins.
 */
const CREDENTIAL_PACE: Limit = { points: 17, seconds: 10 };

/** Less than half the pace, so that tables being opened never keep gifts waiting for long. */
const COMPONENT_PACE: Limit = { points: 8, seconds: 10 };

/** Meters can wait: what they show is kept, and gifts come first. */
const CAMPAIGN_PACE: Limit = { points: 4, seconds: 10 };

/** A donor whose card is declined tries a few more; a card tester tries hundreds. */
const DONATIONS_PER_VISITOR: Limit = { points: 12, seconds: 600 };

/** A hall of guests shares one address; long before this each of their gifts costs some work. */
const DONATIONS_PER_ADDRESS: Limit = { points: 600, seconds: 600 };

/** A form under attack must leave some of the credential's pace (102 a minute) to the others. */
const DONATIONS_PER_FORM: Limit = { points: 90, seconds: 60 };

/** Longer, and the donor believes that the page hangs; the element waits visibly after that. */
const MAX_WAIT_SECONDS = 10;

/** Limits of one process; several processes behind one credential divide `credential` among them. */
export const LimitsConfig = z
  .strictObject({
    credential: Limit.default(CREDENTIAL_PACE),
    components: Limit.default(COMPONENT_PACE),
    campaigns: Limit.default(CAMPAIGN_PACE),
    visitor: Limit.default(DONATIONS_PER_VISITOR),
    address: Limit.default(DONATIONS_PER_ADDRESS),
    form: Limit.default(DONATIONS_PER_FORM),
    /** A request waits so long for its turn before it is told to come back. */
    maxWaitSeconds: z.int().min(0).max(60).default(MAX_WAIT_SECONDS),
  })
  .prefault({});
export type LimitsConfig = z.output<typeof LimitsConfig>;

/** Counts turns by key in windows that begin with their first turn. */
export class RateLimiter {
  readonly #memory: RateLimiterMemory;

  constructor({ points, seconds }: Limit) {
    this.#memory = new RateLimiterMemory({ points, duration: seconds });
  }

  /** Takes a turn. @returns 0, or the milliseconds until there is one */
  async take(key: string): Promise<number> {
    try {
      await this.#memory.consume(key);
      return 0;
    } catch (rejection) {
      return Math.max(1, (rejection as RateLimiterRes).msBeforeNext);
    }
  }

  /** Lets nobody through for so many seconds. */
  async pause(key: string, seconds: number): Promise<void> {
    await this.#memory.block(key, Math.max(1, seconds)); // 0 would mean for ever.
  }
}

export interface LimitedAttempt {
  visitor: string;
  form: string;
  address: string | undefined;
}

/** Limits what reaches the processor: testing stolen cards is the known attack on such forms. */
export class DonationLimits {
  readonly #visitor: RateLimiter;
  readonly #address: RateLimiter;
  readonly #form: RateLimiter;

  constructor(limits: LimitsConfig) {
    this.#visitor = new RateLimiter(limits.visitor);
    this.#address = new RateLimiter(limits.address);
    this.#form = new RateLimiter(limits.form);
  }

  /** @throws {ConnectError} `rate_limited`, saying whose limit and when it ends */
  async take({ visitor, form, address }: LimitedAttempt): Promise<void> {
    if (address)
      rejectIfLimited(await this.#address.take(networkPrefix(address)), 'from this address');
    rejectIfLimited(await this.#visitor.take(visitor), 'by this visitor');
    rejectIfLimited(await this.#form.take(form), 'on this form');
  }
}

function rejectIfLimited(waitMs: number, scope: string): void {
  if (waitMs > 0) throw rateLimitedError(`Too many gifts were tried ${scope}.`, waitMs);
}

/** A 429 whose message and `Retry-After` agree. */
export function rateLimitedError(reason: string, waitMs: number): ConnectError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const retryHint = `Try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`;
  return new ConnectError('rate_limited', `${reason} ${retryHint}`, { retryAfterSeconds });
}
