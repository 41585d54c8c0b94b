import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/**
 * Solves a proof-of-work challenge as the donation form does. @returns the value of the `Proof`
 * header
 */
export async function solveProof(challenge: unknown): Promise<string> {
  const altchaChallenge = challenge as Challenge;
  const solution = await solveChallenge({ challenge: altchaChallenge, deriveKey });
  return btoa(JSON.stringify({ challenge: altchaChallenge, solution }));
}
