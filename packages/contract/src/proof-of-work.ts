import { createChallenge, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { z } from 'zod';
import { ConnectError, invalidRequest } from './error.ts';

const ALGORITHM = 'PBKDF2/SHA-256';

/**
 * Derivations at level 1, on average, and twice as many at each level. Any number up to twice the average is
 * as likely: were there a least one, whoever knows it would begin there, and only donors would do the rest.
 */
const BASE_DERIVATIONS = 50;

/** Long enough for the slowest phone at the highest level, with a donor who looks elsewhere. */
const LIFETIME_SECONDS = 600;

/** Of PBKDF2 in one derivation: about a millisecond of a desktop, five of a phone. */
export const PROOF_ITERATIONS = 5000;

/** Only a program fills in a field that nobody sees. */
export const HONEYPOT_LEVEL = 5;

/** What a page has to answer before its gift is tried; the answer goes into `Proof`. */
export type DonationChallenge =
  { kind: 'altcha'; challenge: object } | { kind: 'turnstile' | 'hcaptcha'; site_key: string };

export const proofRequired = () =>
  new ConnectError(
    'proof_required',
    'Proof: is required for this gift. POST /challenges says what to solve.',
  );

const MAX_PROOF_LENGTH = 4096;

/** What is solved for: no proof serves another visitor, or another gift. */
export interface ProofBinding {
  visitor: string;
  idempotencyKey: string;
}

export interface ProofOptions {
  secret: string;
  /** Of PBKDF2, in each derivation. */
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
      data: z.object({ visitor: z.string(), gift: z.string(), level: z.int() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
});

/**
 * Work that a browser does before a gift is tried: nothing for one donor, much for ten thousand
 * tries. Self-hosted, and no third party learns of the visitor.
 *
 * Nothing is stored: a challenge is signed and bound to one gift, and the same proof again is the
 * same gift again: docs/decisions/0047-card-testing.md
 */
export class ProofOfWork {
  readonly #secrets: { hmacSignatureSecret: string; hmacKeySignatureSecret: string };
  readonly #iterations: number;
  readonly #now: () => number;

  constructor({ secret, iterations, now }: ProofOptions) {
    this.#secrets = {
      hmacSignatureSecret: `connect-proof ${secret}`,
      hmacKeySignatureSecret: `connect-proof-key ${secret}`,
    };
    this.#iterations = iterations;
    this.#now = now;
  }

  challenge({ visitor, idempotencyKey }: ProofBinding, level: number): Promise<Challenge> {
    const average = BASE_DERIVATIONS * 2 ** (level - 1);
    return createChallenge({
      algorithm: ALGORITHM,
      cost: this.#iterations,
      counter: randomBelow(2 * average),
      data: { visitor, gift: idempotencyKey, level },
      deriveKey,
      expiresAt: Math.floor(this.#now() / 1000) + LIFETIME_SECONDS,
      ...this.#secrets,
    });
  }

  /**
   * @returns the level that was solved, or 0 for what was not, or for another gift, or too late
   * @throws {ConnectError} `invalid_request` naming `Proof` for what is no proof at all
   */
  async verify(proof: string, { visitor, idempotencyKey }: ProofBinding): Promise<number> {
    const payload = parseProof(proof);
    const { data, expiresAt } = payload.challenge.parameters;
    if (data.visitor !== visitor || data.gift !== idempotencyKey) return 0;
    if (expiresAt * 1000 < this.#now()) return 0;
    const { verified } = await verifySolution({
      ...(payload as unknown as Payload),
      deriveKey,
      ...this.#secrets,
    });
    return verified ? data.level : 0;
  }
}

/** The proof as pages send it: base64 of the JSON of challenge and solution, as ALTCHA has it. */
function parseProof(proof: string): z.infer<typeof SolvedChallenge> {
  try {
    if (proof.length > MAX_PROOF_LENGTH) throw new Error('too long');
    return SolvedChallenge.parse(JSON.parse(atob(proof)));
  } catch {
    throw invalidRequest('Proof', 'is not the answer to a challenge of POST /challenges.');
  }
}

/** Even enough: what of 2^32 is left over favors no number by a millionth. */
const randomBelow = (limit: number): number =>
  crypto.getRandomValues(new Uint32Array(1))[0]! % limit;
