import type { ClientFetch } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { ATTACK_LEVEL, MAX_LEVEL, SHARED_MAX_LEVEL } from '@connect-embed/contract/challenge-level';
import {
  PROOF_ITERATIONS,
  proofRequired,
  ProofOfWork,
  type DonationChallenge,
} from '@connect-embed/contract/proof-of-work';
import {
  admitAttempt,
  FREE_ATTEMPTS,
  FREE_ATTEMPTS_WINDOW_SECONDS as seconds,
  requiredLevel,
  type ProofSubmission,
} from '@connect-embed/contract/proof-policy';
import type { Secrets } from '@connect-embed/contract/secrets';
import { z } from 'zod';
import { DonationLimits, type LimitsConfig } from '../rate-limits.ts';
import { CaptchaConfig, verifyCaptcha } from './captcha.ts';
import { ChallengeLevel, Quota } from './challenge-level.ts';
import { UnprovenAttempts, type Rejection } from './unproven-attempts.ts';

/**
 * Number of attempts, and the time window, in which a browser need not solve a proof of work. By
 * default the window is ten minutes.
 */
export const GuardConfig = z
  .strictObject({
    visitor: Quota.default({ points: FREE_ATTEMPTS.visitor, seconds }),
    address: Quota.default({ points: FREE_ATTEMPTS.address, seconds }),
    form: Quota.default({ points: FREE_ATTEMPTS.form, seconds }),
    organization: Quota.default({ points: FREE_ATTEMPTS.organization, seconds }),
    /** PBKDF2 iterations of one derivation; a level-1 proof takes about 50 derivations. */
    iterations: z.int().min(1).max(1_000_000).default(PROOF_ITERATIONS),
    /** Turnstile or hCaptcha in place of the proof of work. */
    humanCheck: CaptchaConfig.optional(),
  })
  .prefault({});
export type GuardConfig = z.output<typeof GuardConfig>;

/** One submitted donation. */
export interface DonationAttempt {
  visitor: string;
  idempotencyKey: string;
  form: string;
  organization: string | undefined;
  address: string | undefined;
}

/** An admitted donation attempt, which may be sent to the API. */
export interface Admission {
  hasProof: boolean;
  reportOutcome(response: Rejection | 'accepted' | 'failed'): void;
}

interface GuardOptions {
  guard: GuardConfig;
  limits: LimitsConfig;
  sessionSecret: Secrets;
  now: () => number;
  fetch: ClientFetch;
}

/**
 * Protects the processor from card testing (trying stolen cards on donation forms).
 *
 * A single donor notices nothing. After the free attempts, each attempt needs a proof of work,
 * which gets harder with the number of attempts. While the API reports an attack, every attempt of
 * every donor needs a proof. Attempts beyond `limits` are rejected:
 * docs/decisions/0047-card-testing.md
 */
export class DonationGuard {
  readonly #options: GuardOptions;
  readonly #proofs: ProofOfWork;
  readonly #limits: DonationLimits;
  /** End of the attack in milliseconds, by organization. */
  readonly #attacks = new Map<string, number>();
  readonly #attemptsWithoutProof: UnprovenAttempts;
  readonly #challengeLevels: Record<
    'visitor' | 'address' | 'form' | 'organization',
    ChallengeLevel
  >;

  constructor(options: GuardOptions) {
    const { guard, limits, sessionSecret, now } = options;
    this.#options = options;
    this.#proofs = new ProofOfWork({ secret: sessionSecret, iterations: guard.iterations, now });
    this.#limits = new DonationLimits(limits);
    this.#attemptsWithoutProof = new UnprovenAttempts(now);
    this.#challengeLevels = {
      visitor: new ChallengeLevel(guard.visitor),
      address: new ChallengeLevel(guard.address),
      form: new ChallengeLevel(guard.form, SHARED_MAX_LEVEL),
      organization: new ChallengeLevel(guard.organization, SHARED_MAX_LEVEL),
    };
  }

  /**
   * Admits a donation attempt, or throws an error that names the missing requirement.
   *
   * @returns whether a proof was verified, and `reportOutcome`, which the caller calls with the
   * API's response
   * @throws {ConnectError} `proof_required`, `rate_limited`, or `invalid_request` naming `Proof`
   */
  async admit(attempt: DonationAttempt, submission: ProofSubmission): Promise<Admission> {
    const hasProof = await admitAttempt(submission, {
      countAttempt: () => this.#countAttempt(attempt),
      verify: (proof) => this.#verifyProof(proof, attempt),
    });
    const reportOutcome = hasProof ? () => {} : this.#attemptsWithoutProof.start(originOf(attempt));
    if (!reportOutcome) throw proofRequired();
    try {
      await this.#limits.consume(attempt);
    } catch (error) {
      reportOutcome('failed');
      throw error;
    }
    return { hasProof, reportOutcome };
  }

  /** Whether every donation on this form needs a proof of work at present. */
  needsProof(form: string, organization = ''): boolean {
    return (
      this.#isAttacked(organization) ||
      this.#attemptsWithoutProof.needsProof({ form, address: undefined })
    );
  }

  /**
   * Records an attack that the API reports. The API detects attacks by declined cards; until the
   * given time every donation to the organization needs a proof. The header is part of payment
   * intent responses, so it costs no extra request.
   *
   * @param until value of `Connect-Attack-Until`; null without an attack
   */
  recordAttack(organization = '', until: string | null): void {
    const untilMs = Date.parse(until ?? '');
    if (untilMs > (this.#attacks.get(organization) ?? 0)) this.#attacks.set(organization, untilMs);
  }

  /**
   * Creates the challenge for this visitor and donation. Requesting a challenge counts as an
   * attempt.
   */
  async challenge(attempt: DonationAttempt, honeypotFilled = false): Promise<DonationChallenge> {
    const { humanCheck } = this.#options.guard;
    const level = requiredLevel({ honeypotFilled }, await this.#countAttempt(attempt));
    if (humanCheck) return { kind: humanCheck.provider, site_key: humanCheck.siteKey };
    return { kind: 'altcha', challenge: await this.#proofs.challenge(attempt, level) };
  }

  async #countAttempt({
    visitor,
    address,
    form,
    organization = '',
  }: DonationAttempt): Promise<number> {
    const challengeLevels = this.#challengeLevels;
    const levels = await Promise.all([
      challengeLevels.visitor.countAttempt(visitor),
      address ? challengeLevels.address.countAttempt(networkPrefix(address)) : 0,
      challengeLevels.form.countAttempt(form),
      challengeLevels.organization.countAttempt(organization),
    ]);
    return Math.max(...levels, this.#isAttacked(organization) ? ATTACK_LEVEL : 0);
  }

  #isAttacked(organization: string): boolean {
    return (this.#attacks.get(organization) ?? 0) > this.#options.now();
  }

  /** Returns the level of a proof. A valid CAPTCHA counts as much as any proof of work. */
  async #verifyProof(proof: string, attempt: DonationAttempt): Promise<number> {
    const { guard, fetch } = this.#options;
    if (!guard.humanCheck) return await this.#proofs.verify(proof, attempt);
    const request = { token: proof, address: attempt.address, fetch };
    return (await verifyCaptcha(guard.humanCheck, request)) ? MAX_LEVEL : 0;
  }
}

const originOf = ({ form, address }: DonationAttempt) => ({
  form,
  address: address === undefined ? undefined : networkPrefix(address),
});
