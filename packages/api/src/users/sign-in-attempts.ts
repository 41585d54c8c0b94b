import { emailKey } from '@connect-embed/contract/email-address';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hashToken } from '../lib/id.ts';

const WINDOW_SECONDS = 15 * 60;
/**
 * Limit of wrong passwords for one account, from all browsers together that have never signed in to
 * the account.
 */
const ACCOUNT_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in' };
/**
 * Limit of wrong passwords for one account, from one browser that has signed in to the account
 * before.
 */
const DEVICE_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_device' };
/**
 * Limit of wrong passwords and codes from one client address, for all accounts together. It is
 * higher than the limit of an account, because an office may share one address.
 */
const ADDRESS_LIMIT = { points: 30, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_address' };
/** Limit of wrong passwords and codes with which a signed-in person tries to confirm a change. */
const PERSON_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'confirm' };
/** Limit of one use for an authenticator code, which is valid for 90 seconds (RFC 6238, 5.2). */
const CODE_REUSE_LIMIT = { points: 1, duration: 120, keyPrefix: 'code' };
/**
 * Limits per hour of password-reset emails to one account, and of requests for such emails from
 * one client.
 */
const ACCOUNT_RESET_LIMIT = { points: 3, duration: 3600, keyPrefix: 'reset' };
const ADDRESS_RESET_LIMIT = { points: 20, duration: 3600, keyPrefix: 'reset_address' };

interface SignInAttempt {
  email: string;
  /** Client IP address, if it is known. */
  address: string | undefined;
  /** Id of a browser that has signed in to this account before: `sign-in/device-cookie.ts` of the dashboard. */
  device: string | undefined;
}

/**
 * An attempt that is counted before it is checked, so that simultaneous attempts cannot exceed the
 * limit.
 */
interface CountedAttempt {
  /** Seconds to wait, or 0 if the attempt is allowed. */
  waitSeconds: number;
  /** Reports that the password or code was correct, so that the attempt does not count. */
  markSucceeded(): Promise<void>;
}

/**
 * Rate limiter for sign-in attempts. Counters are in the database, so that all processes share
 * them: docs/decisions/0084-sign-in-security.md
 */
export class SignInAttempts {
  readonly #accountLimiter: Limiter;
  readonly #deviceLimiter: Limiter;
  readonly #addressLimiter: Limiter;
  readonly #personLimiter: Limiter;
  readonly #codeReuseLimiter: Limiter;
  readonly #resetLimiter: Limiter;
  readonly #resetAddressLimiter: Limiter;

  constructor(pool: Pool) {
    this.#accountLimiter = openLimiter(pool, ACCOUNT_LIMIT);
    this.#deviceLimiter = openLimiter(pool, DEVICE_LIMIT);
    this.#addressLimiter = openLimiter(pool, ADDRESS_LIMIT);
    this.#personLimiter = openLimiter(pool, PERSON_LIMIT);
    this.#codeReuseLimiter = openLimiter(pool, CODE_REUSE_LIMIT);
    this.#resetLimiter = openLimiter(pool, ACCOUNT_RESET_LIMIT);
    this.#resetAddressLimiter = openLimiter(pool, ADDRESS_RESET_LIMIT);
  }

  /** Counts a password attempt at sign-in. */
  async countSignIn({ email, address, device }: SignInAttempt): Promise<CountedAttempt> {
    if (device !== undefined && (await this.#deviceLimiter.consume(device)) === 0) {
      return { waitSeconds: 0, markSucceeded: () => this.#deviceLimiter.clear(device) };
    }
    // A known device that has used up its attempts is limited like an unknown browser.
    const addressAttempt = await this.#countByAddress(address);
    if (addressAttempt.waitSeconds > 0) return addressAttempt;
    const account = emailKey(email);
    const waitSeconds = await this.#accountLimiter.consume(account);
    const markSucceeded = async () =>
      void (await Promise.all([
        addressAttempt.markSucceeded(),
        this.#accountLimiter.clear(account),
      ]));
    return { waitSeconds, markSucceeded };
  }

  /** Counts a code attempt at sign-in. Better Auth limits code attempts per account. */
  async countCode(address: string | undefined): Promise<CountedAttempt> {
    return await this.#countByAddress(address);
  }

  /** Counts a password or code with which a signed-in person confirms a change. */
  async countConfirmation(personId: string): Promise<CountedAttempt> {
    return {
      waitSeconds: await this.#personLimiter.consume(personId),
      markSucceeded: () => this.#personLimiter.clear(personId),
    };
  }

  /**
   * Marks an authenticator code as used.
   *
   * @returns false if the person has used this code before
   */
  async useCode(personId: string, code: string): Promise<boolean> {
    return (await this.#codeReuseLimiter.consume(`${personId} ${code}`)) === 0;
  }

  /**
   * Counts a request for a password-reset link.
   *
   * @returns whether the link may be emailed
   */
  async countReset(email: string, address: string | undefined): Promise<boolean> {
    if (
      address !== undefined &&
      (await this.#resetAddressLimiter.consume(networkPrefix(address))) > 0
    )
      return false;
    return (await this.#resetLimiter.consume(emailKey(email))) === 0;
  }

  /**
   * Counts an attempt for the client address. `markSucceeded` refunds only the point of this
   * attempt.
   */
  async #countByAddress(address: string | undefined): Promise<CountedAttempt> {
    if (address === undefined) return { waitSeconds: 0, markSucceeded: async () => undefined };
    const key = networkPrefix(address);
    return {
      waitSeconds: await this.#addressLimiter.consume(key),
      markSucceeded: () => this.#addressLimiter.refund(key),
    };
  }
}

type Limiter = ReturnType<typeof openLimiter>;

function openLimiter(pool: Pool, rule: typeof ACCOUNT_LIMIT) {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    ...rule,
  });
  const keyOf = (text: string) => hashToken(text).toString('base64url');
  return {
    /**
     * Consumes one point.
     *
     * @returns seconds to wait; 0 if the limit is not exceeded
     */
    async consume(text: string): Promise<number> {
      try {
        await limiter.consume(keyOf(text));
        return 0;
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) return Math.ceil(thrown.msBeforeNext / 1000);
        throw thrown;
      }
    },
    refund: async (text: string) => void (await limiter.reward(keyOf(text))),
    clear: async (text: string) => void (await limiter.delete(keyOf(text))),
  };
}
