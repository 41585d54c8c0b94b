import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { FormContext } from './form-context.ts';

/** What `POST /challenges` answers with: `server/routes/challenges.ts`. */
export type ChallengeAnswer = { kind: string; challenge?: object; site_key?: string };

/**
 * Answers what a server asks when many gifts come from one place: work of this browser, or somebody
 * else's check of the donor where the server is set up so.
 *
 * A file of its own: hardly any donor ever needs it. docs/decisions/0047-card-testing.md
 *
 * @returns what goes into the header `Proof`
 */
export async function answerChallenge(
  { kind, challenge, site_key }: ChallengeAnswer,
  context: FormContext,
): Promise<string> {
  if (kind === 'altcha' && challenge) {
    const altchaChallenge = challenge as Challenge;
    const solution = await solveChallenge({ challenge: altchaChallenge, deriveKey });
    return btoa(JSON.stringify({ challenge: altchaChallenge, solution }));
  }
  const { Captcha, isCaptchaProvider } = await import('./captcha-chunk.ts');
  if (!site_key || !isCaptchaProvider(kind))
    throw new Error(`This form cannot answer a ${kind} check.`);
  return new Captcha(context, kind, site_key).token();
}
