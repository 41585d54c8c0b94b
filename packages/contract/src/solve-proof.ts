import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** Does the work of a challenge as a browser does it. @returns what goes into `Proof` */
export async function solveProof(challenge: unknown): Promise<string> {
  const asked = challenge as Challenge;
  const solution = await solveChallenge({ challenge: asked, deriveKey });
  return btoa(JSON.stringify({ challenge: asked, solution }));
}
