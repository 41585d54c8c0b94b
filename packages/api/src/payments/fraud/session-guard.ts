import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import {
  ATTACK_LEVEL,
  challengeLevel,
  SHARED_MAX_LEVEL,
} from '@connect-embed/contract/challenge-level';
import {
  PROOF_ITERATIONS,
  ProofOfWork,
  type DonationChallenge,
} from '@connect-embed/contract/proof-of-work';
import {
  admitAttempt,
  FREE_ATTEMPTS,
  FREE_ATTEMPTS_WINDOW_SECONDS,
  requiredLevel,
  type ProofSubmission,
} from '@connect-embed/contract/proof-policy';
import type { Secrets } from '@connect-embed/contract/secrets';
import type { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

/**
 * Number of attempts from one address after which further attempts are rejected. The limit is high
 * because guests of an event share one address. From attempt 21 on each donation requires a proof of
 * work.
 */
const MAX_ATTEMPTS_PER_ADDRESS = 600;

/** One request for a donation that is authorized only by an embed session. */
export interface SessionRequest {
  session: string;
  organization: string;
  /** Undefined if the client address is unknown. */
  address: string | undefined;
  idempotencyKey: string | undefined;
  /** Whether an alarm for card testing is active for the organization. */
  isAttacked: boolean;
}

/**
 * The guard against card testing for requests that do not pass through an organization's own
 * server: the hosted donation page, and direct calls with an embed session's token. Attempts are
 * counted in the database, so the limits apply across all processes: docs/decisions/0047-card-testing.md
 */
export class SessionGuard {
  readonly #proofs: ProofOfWork;
  readonly #limiter: RateLimiterPostgres;

  constructor({ pool, secret }: { pool: Pool; secret: Secrets }) {
    this.#proofs = new ProofOfWork({ secret, iterations: PROOF_ITERATIONS, now: Date.now });
    this.#limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: 'donation',
      points: MAX_ATTEMPTS_PER_ADDRESS,
      duration: FREE_ATTEMPTS_WINDOW_SECONDS,
    });
  }

  /**
   * Admits a donation on the hosted page or requires a proof of work.
   *
   * @returns whether the donor sent a valid proof of work
   * @throws {ConnectError} `proof_required`, `rate_limited`, or `invalid_request` naming `Proof`
   */
  async admitFromPage(request: SessionRequest, submission: ProofSubmission): Promise<boolean> {
    return await admitAttempt(submission, {
      countAttempt: async () => (await this.#countAttempt(request)).level,
      verify: (proof) => this.#proofs.verify(proof, purpose(request)),
    });
  }

  /**
   * Admits a direct call with the session's token while free attempts remain, because no page can
   * compute a proof of work. During an attack every direct call is rejected.
   *
   * @param hostedUrl hosted page with the same form: docs/decisions/0047-card-testing.md
   * @throws {ConnectError} `proof_required`, `rate_limited`
   */
  async admitDirect(request: SessionRequest, hostedUrl: string) {
    const { levelWithoutAttack, seconds } = await this.#countAttempt(request);
    if (request.isAttacked) throw hostedPageRequired(hostedUrl);
    if (levelWithoutAttack > 0) throw tooManyAttempts(seconds, hostedUrl);
  }

  /** Creates the proof-of-work challenge for a donation. The request counts as an attempt. */
  async challenge(request: SessionRequest, honeypotFilled: boolean): Promise<DonationChallenge> {
    const { level: attemptsLevel } = await this.#countAttempt(request);
    const level = requiredLevel({ honeypotFilled }, attemptsLevel);
    return { kind: 'altcha', challenge: await this.#proofs.challenge(purpose(request), level) };
  }

  /**
   * Counts one attempt.
   *
   * @returns the required level of the proof of work (0 for none), and the seconds until the counts are
   *   reset
   */
  async #countAttempt({ session, organization, address, isAttacked }: SessionRequest) {
    const [sessionUsage, organizationUsage, addressUsage] = await Promise.all([
      this.#limiter.penalty(session, 1),
      this.#limiter.penalty(organization, 1),
      address === undefined ? undefined : this.#limiter.penalty(networkPrefix(address), 1),
    ]);
    const level = Math.max(
      levelFor(addressUsage, FREE_ATTEMPTS.address),
      levelFor(sessionUsage, FREE_ATTEMPTS.form, SHARED_MAX_LEVEL),
      levelFor(organizationUsage, FREE_ATTEMPTS.organization, SHARED_MAX_LEVEL),
    );
    const all = [sessionUsage, organizationUsage, addressUsage].map(
      (usage) => usage?.msBeforeNext ?? 0,
    );
    const seconds = Math.max(1, Math.ceil(Math.max(...all) / 1000));
    if ((addressUsage?.consumedPoints ?? 0) > MAX_ATTEMPTS_PER_ADDRESS)
      throw tooManyAttempts(seconds);
    return {
      level: Math.max(level, isAttacked ? ATTACK_LEVEL : 0),
      levelWithoutAttack: level,
      seconds,
    };
  }
}

const levelFor = (
  usage: { consumedPoints: number } | undefined,
  freeAttempts: number,
  max?: number,
) => challengeLevel(usage?.consumedPoints ?? 0, freeAttempts, max);

const purpose = ({ session, idempotencyKey = '' }: SessionRequest) => ({
  visitor: session,
  idempotencyKey,
});

export const tooManyAttempts = (seconds: number, hostedUrl?: string) => {
  const hint = hostedUrl ? ` You can donate now at ${hostedUrl}.` : '';
  return new ConnectError('rate_limited', `Too many attempts. Try again in ${seconds} s.${hint}`, {
    retryAfterSeconds: seconds,
  });
};

export const hostedPageRequired = (hostedUrl: string) =>
  new ConnectError(
    'proof_required',
    `Stolen cards are being tested on this form, so every donation is checked. You can donate at ${hostedUrl}.`,
  );
