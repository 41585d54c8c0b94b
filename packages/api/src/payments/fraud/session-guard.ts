import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { FREE_ATTEMPTS, FREE_ATTEMPTS_WINDOW_SECONDS } from '@connect-embed/contract/proof-policy';
import type { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

/** One request for a donation that is authorized only by the token of an embed session. */
interface SessionRequest {
  session: string;
  organization: string;
  /** Undefined if the client address is unknown. */
  address: string | undefined;
  /** Whether an alarm for card testing is active for the organization. */
  isAttacked: boolean;
}

/**
 * The guard against card testing for direct calls with an embed session's token, which pass through no server that
 * limits its visitors. Attempts are counted in the database, so the limits apply across all processes:
 * docs/decisions/0047-card-testing.md
 */
export class SessionGuard {
  readonly #limiter: RateLimiterPostgres;

  constructor(pool: Pool) {
    this.#limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: 'donation',
      points: FREE_ATTEMPTS.organization, // Required, but `penalty` counts without a limit.
      duration: FREE_ATTEMPTS_WINDOW_SECONDS,
    });
  }

  /**
   * Admits a direct call while free attempts remain, because no page can compute a proof of work. During an attack
   * every direct call is rejected.
   *
   * @param hostedUrl hosted page with the same form: docs/decisions/0047-card-testing.md
   * @throws {ConnectError} `proof_required`, `rate_limited`
   */
  async admit(
    { session, organization, address, isAttacked }: SessionRequest,
    hostedUrl: string,
  ): Promise<void> {
    const counts = await Promise.all([
      this.#count(session, FREE_ATTEMPTS.form),
      this.#count(organization, FREE_ATTEMPTS.organization),
      ...(address === undefined
        ? []
        : [this.#count(networkPrefix(address), FREE_ATTEMPTS.address)]),
    ]);
    if (isAttacked) throw hostedPageRequired(hostedUrl);
    if (!counts.some(({ isUsedUp }) => isUsedUp)) return;
    const waitMs = Math.max(...counts.map(({ msBeforeNext }) => msBeforeNext));
    throw tooManyAttempts(Math.max(1, Math.ceil(waitMs / 1000)), hostedUrl);
  }

  /** Counts one attempt, also beyond the free ones. */
  async #count(key: string, freeAttempts: number) {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(key, 1);
    return { isUsedUp: consumedPoints > freeAttempts, msBeforeNext };
  }
}

export const tooManyAttempts = (seconds: number, hostedUrl: string) =>
  new ConnectError(
    'rate_limited',
    `Too many attempts. Try again in ${seconds} s. You can donate now at ${hostedUrl}.`,
    { retryAfterSeconds: seconds },
  );

export const hostedPageRequired = (hostedUrl: string) =>
  new ConnectError(
    'proof_required',
    `Stolen cards are being tested on this form, so every donation is checked. You can donate at ${hostedUrl}.`,
  );
