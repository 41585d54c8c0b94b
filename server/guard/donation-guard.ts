import type { ClientFetch } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import {
  ATTACK_LEVEL,
  challengeLevel,
  MAX_LEVEL,
  SHARED_MAX_LEVEL,
} from '@connect-embed/contract/challenge-level';
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
import { Limit, RateLimiter } from '../rate-limiter.ts';
import { CaptchaConfig, verifyCaptcha } from './captcha.ts';
import type { LimitsConfig } from './rate-limits.ts';
import { UnprovenAttempts, type Rejection } from './unproven-attempts.ts';

/** How many attempts in a time window need no proof of work. By default the window is ten minutes. */
export const GuardConfig = z
  .strictObject({
    visitor: Limit.default({ points: FREE_ATTEMPTS.visitor, seconds }),
    address: Limit.default({ points: FREE_ATTEMPTS.address, seconds }),
    form: Limit.default({ points: FREE_ATTEMPTS.form, seconds }),
    organization: Limit.default({ points: FREE_ATTEMPTS.organization, seconds }),
    /** PBKDF2 iterations of one derivation; a level-1 proof takes about 50 derivations. */
    iterations: z.int().min(1).max(1_000_000).default(PROOF_ITERATIONS),
    /** Turnstile or hCaptcha in place of the proof of work. */
    humanCheck: CaptchaConfig.optional(),
  })
  .prefault({});

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

/** By what attempts without a proof of work are counted. */
type Counter = 'visitor' | 'address' | 'form' | 'organization';

interface GuardOptions {
  guard: z.output<typeof GuardConfig>;
  limits: z.output<typeof LimitsConfig>;
  sessionSecret: Secrets;
  now: () => number;
  fetch: ClientFetch;
}

/**
 * Protects the processor from card testing (trying stolen cards on donation forms):
 * docs/decisions/0047-card-testing.md
 *
 * A single donor notices nothing. `POST /payment-intents` passes six counters, in this order. The first four
 * count in this process, and the first three are in this class. The numbers are the defaults of `guard` and
 * `limits` in the configuration.
 *
 * 1. `#attempts`: attempts without a proof of work, and requests for a challenge, in ten minutes. Free are 5 of
 *    a visitor, 20 of a network address, 150 on a form and 300 for an organization. Further ones need a proof,
 *    which gets harder each time the attempts double.
 * 2. `#unproven`: attempts without a proof that wait for the API, 20 on a form; and none on a form or from an
 *    address for which the API has just required a proof. Further ones need a proof.
 * 3. `#limits`: all attempts, 600 of an address and 12 of a visitor in ten minutes, and 90 on a form in a
 *    minute. Further ones are rejected with 429.
 * 4. `Upstream.call`: the API requests of the credential, 17 in ten seconds. Further ones wait up to ten seconds
 *    and are then rejected with 429.
 * 5. `reserveCards` of the API: the cards that can be tried in ten minutes, counted for all servers together.
 *    Without a proof 20 of an address and 100 on a form; further ones need a proof. With a proof 600 and 1,500;
 *    further ones are rejected with 429.
 * 6. `detectAttack` of the API: declined cards of an organization, 20 in 15 minutes if they are most of its
 *    cards. Then its responses name the end of the attack (`recordAttack`), and until then step 1 requires a
 *    proof of every attempt.
 */
export class DonationGuard {
  readonly #options: GuardOptions;
  readonly #proofs: ProofOfWork;
  /** End of the attack in milliseconds, by organization. */
  readonly #attacks = new Map<string, number>();
  readonly #attempts: Record<Counter, RateLimiter>;
  readonly #unproven: UnprovenAttempts;
  readonly #limits: Record<'address' | 'visitor' | 'form', RateLimiter>;

  constructor(options: GuardOptions) {
    const { guard, limits, sessionSecret, now } = options;
    this.#options = options;
    this.#proofs = new ProofOfWork({ secret: sessionSecret, iterations: guard.iterations, now });
    this.#attempts = {
      visitor: new RateLimiter(guard.visitor),
      address: new RateLimiter(guard.address),
      form: new RateLimiter(guard.form),
      organization: new RateLimiter(guard.organization),
    };
    this.#unproven = new UnprovenAttempts(now);
    this.#limits = {
      address: new RateLimiter(limits.address),
      visitor: new RateLimiter(limits.visitor),
      form: new RateLimiter(limits.form),
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
    const reportOutcome = hasProof ? () => {} : this.#unproven.start(originOf(attempt));
    if (!reportOutcome) throw proofRequired();
    try {
      await this.#limit(attempt);
    } catch (error) {
      reportOutcome('failed');
      throw error;
    }
    return { hasProof, reportOutcome };
  }

  /** Whether every donation on this form needs a proof of work at present. */
  needsProof(form: string, organization = ''): boolean {
    return (
      this.#isAttacked(organization) || this.#unproven.needsProof({ form, address: undefined })
    );
  }

  /**
   * Records an attack that the API has detected by declined cards. Until it ends every donation to the
   * organization needs a proof.
   *
   * @param until value of `Connect-Attack-Until`; null without an attack
   */
  recordAttack(organization = '', until: string | null): void {
    const untilMs = Date.parse(until ?? '');
    if (untilMs > (this.#attacks.get(organization) ?? 0)) this.#attacks.set(organization, untilMs);
  }

  /** Requesting a challenge counts as an attempt. */
  async challenge(attempt: DonationAttempt, honeypotFilled = false): Promise<DonationChallenge> {
    const { humanCheck } = this.#options.guard;
    const level = requiredLevel({ honeypotFilled }, await this.#countAttempt(attempt));
    if (humanCheck) return { kind: humanCheck.provider, site_key: humanCheck.siteKey };
    return { kind: 'altcha', challenge: await this.#proofs.challenge(attempt, level) };
  }

  /** Counts an attempt without a proof. Returns the level of the proof that it needs; 0 for none. */
  async #countAttempt({
    visitor,
    address,
    form,
    organization = '',
  }: DonationAttempt): Promise<number> {
    const levelOf = async (counter: Counter, key: string, max = MAX_LEVEL) => {
      const attempts = await this.#attempts[counter].count(key);
      return challengeLevel(attempts, this.#options.guard[counter].points, max);
    };
    const levels = await Promise.all([
      levelOf('visitor', visitor),
      address ? levelOf('address', networkPrefix(address)) : 0,
      // Many donors share these two, so one attacker must not slow down all of them.
      levelOf('form', form, SHARED_MAX_LEVEL),
      levelOf('organization', organization, SHARED_MAX_LEVEL),
    ]);
    return Math.max(...levels, this.#isAttacked(organization) ? ATTACK_LEVEL : 0);
  }

  /** @throws {ConnectError} `rate_limited`, with the exceeded limit and `Retry-After` */
  async #limit({ visitor, address, form }: DonationAttempt): Promise<void> {
    const limits = this.#limits;
    if (address)
      await limits.address.consumeOrThrow(
        networkPrefix(address),
        'Too many attempts from this address.',
      );
    await limits.visitor.consumeOrThrow(visitor, 'Too many attempts by this visitor.');
    await limits.form.consumeOrThrow(form, 'Too many attempts on this form.');
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
