import { createChallenge, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { z } from 'zod';
import { ConnectError, invalidRequest } from './error.ts';
import { listSecrets, type Secrets } from './secrets.ts';

const ALGORITHM = 'PBKDF2/SHA-256';

/**
 * Average number of key derivations at level 1; it doubles with each level.
 *
 * The solution is any number from 0 to twice the average with equal probability. With a known
 * minimum, attackers would skip the numbers below it.
 */
const BASE_DERIVATIONS = 50;

/** Lifetime of a challenge, enough for the slowest phone at the highest level. */
const LIFETIME_SECONDS = 600;

/** PBKDF2 iterations per derivation: about 1 ms on a desktop, 5 ms on a phone. */
export const PROOF_ITERATIONS = 5000;

/** Level for a request with a filled honeypot field: only bots fill it in. */
export const HONEYPOT_LEVEL = 5;

/**
 * The challenge that a page must solve before a donation; it sends the solution in the `Proof`
 * header.
 */
export type DonationChallenge =
  { kind: 'altcha'; challenge: object } | { kind: 'turnstile' | 'hcaptcha'; site_key: string };

export const proofRequired = () =>
  new ConnectError(
    'proof_required',
    'Proof is required for this donation. Get a challenge from POST /challenges.',
    { param: 'Proof' },
  );

const MAX_PROOF_LENGTH = 4096;

/** A proof is valid only for this visitor and this donation. */
export interface ProofBinding {
  visitor: string;
  idempotencyKey: string;
}

export interface ProofOptions {
  secret: Secrets;
  /** PBKDF2 iterations per derivation. */
  iterations: number;
  now: () => number;
}

const SolvedChallenge = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string(),
      salt: z.string(),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      expiresAt: z.int(),
      data: z.object({ visitor: z.string(), idempotencyKey: z.string(), level: z.int() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
});

/**
 * Proof-of-work challenge (our CAPTCHA, ALTCHA protocol) against card testing. A single donor does
 * not notice the work, but ten thousand attempts are expensive. It is self-hosted, so no third
 * party learns of the visitor.
 *
 * Nothing is stored: a challenge is signed and bound to one idempotency key, so a repeated proof
 * only repeats the same donation: docs/decisions/0047-card-testing.md
 */
export class ProofOfWork {
  /** The newest first. */
  readonly #secrets: { hmacSignatureSecret: string; hmacKeySignatureSecret: string }[];
  readonly #iterations: number;
  readonly #now: () => number;

  constructor({ secret, iterations, now }: ProofOptions) {
    this.#secrets = listSecrets(secret).map((text) => ({
      hmacSignatureSecret: `connect-proof ${text}`,
      hmacKeySignatureSecret: `connect-proof-key ${text}`,
    }));
    this.#iterations = iterations;
    this.#now = now;
  }

  challenge({ visitor, idempotencyKey }: ProofBinding, level: number): Promise<Challenge> {
    const averageDerivations = BASE_DERIVATIONS * 2 ** (level - 1);
    return createChallenge({
      algorithm: ALGORITHM,
      cost: this.#iterations,
      counter: randomBelow(2 * averageDerivations),
      data: { visitor, idempotencyKey, level },
      deriveKey,
      expiresAt: Math.floor(this.#now() / 1000) + LIFETIME_SECONDS,
      ...this.#secrets[0]!,
    });
  }

  /**
   * Verifies a proof.
   *
   * @returns the level of the solved challenge; 0 if the solution is wrong or expired, or belongs
   *   to another visitor or donation
   * @throws {ConnectError} `invalid_request` naming `Proof` if it cannot be parsed
   */
  async verify(proof: string, { visitor, idempotencyKey }: ProofBinding): Promise<number> {
    const payload = parseProof(proof);
    const { data, expiresAt } = payload.challenge.parameters;
    if (data.visitor !== visitor || data.idempotencyKey !== idempotencyKey) return 0;
    if (expiresAt * 1000 < this.#now()) return 0;
    for (const secrets of this.#secrets) {
      const solved = payload as unknown as Payload;
      if ((await verifySolution({ ...solved, deriveKey, ...secrets })).verified) return data.level;
    }
    return 0;
  }
}

/**
 * Parses the proof that a page sends: base64 of the JSON of challenge and solution, as in ALTCHA.
 */
function parseProof(proof: string): z.infer<typeof SolvedChallenge> {
  try {
    if (proof.length > MAX_PROOF_LENGTH) throw new Error('too long');
    return SolvedChallenge.parse(JSON.parse(atob(proof)));
  } catch {
    throw invalidRequest('Proof', 'is not a solution of a challenge from POST /challenges.');
  }
}

/**
 * Returns a random whole number below the limit. The modulo bias is less than one in a million,
 * because the limit is small compared to 2^32.
 */
const randomBelow = (limit: number): number =>
  crypto.getRandomValues(new Uint32Array(1))[0]! % limit;
