import { HONEYPOT_LEVEL, proofRequired } from './proof-of-work.ts';

/**
 * Number of donation attempts in ten minutes that need no proof of work, for each visitor, network
 * address, form and organization. The BFF counts donations of pages; the API counts direct calls with the token of
 * an embed session, which have no visitor: docs/decisions/0047-card-testing.md
 */
export const FREE_ATTEMPTS = { visitor: 5, address: 20, form: 150, organization: 300 } as const;

/** The ten minutes in which attempts are counted, in seconds. */
export const FREE_ATTEMPTS_WINDOW_SECONDS = 600;

/** A donation as its page submits it. */
export interface ProofSubmission {
  proof?: string | undefined;
  /** Whether the honeypot field is filled in, which people do not see. */
  honeypotFilled?: boolean;
}

interface ProofChecks {
  /** Counts an attempt and returns the level that it requires; 0 requires no proof. */
  countAttempt: () => Promise<number>;
  /** Returns the level of a proof; 0 if it is not valid for this donation. */
  verify: (proof: string) => Promise<number>;
}

/**
 * Decides whether a donation attempt may continue. Only attempts without a proof are counted.
 *
 * @returns whether the attempt has a valid proof of work
 * @throws {ConnectError} `proof_required`
 */
export async function admitAttempt(
  { proof, honeypotFilled = false }: ProofSubmission,
  { countAttempt, verify }: ProofChecks,
): Promise<boolean> {
  if (proof === undefined) {
    if (honeypotFilled || (await countAttempt()) > 0) throw proofRequired();
    return false;
  }
  if ((await verify(proof)) < requiredLevel({ honeypotFilled })) throw proofRequired();
  return true;
}

/**
 * Returns the level that a proof of work must have: at least 1, and at least `attemptsLevel`, which
 * the number of attempts requires.
 */
export const requiredLevel = ({ honeypotFilled = false }: ProofSubmission, attemptsLevel = 0) =>
  Math.max(1, honeypotFilled ? HONEYPOT_LEVEL : 0, attemptsLevel);
