import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { isCaptchaProvider } from './captcha-provider.ts';
import type { FlowContext } from './flow-context.ts';
import { importChunk } from '../shared/import-chunk.ts';

/** The response of `POST /challenges`: `server/routes/challenges.ts`. */
export type ChallengeResponse = { kind: string; challenge?: object; site_key?: string };

/**
 * Solves the challenge that the BFF requires when many donations come from one network: a proof of
 * work (ALTCHA), or a third-party CAPTCHA if the server is configured for one.
 *
 * Imported on demand, because few donors need it: docs/decisions/0047-card-testing.md
 *
 * @returns the value of the `Proof` request header
 */
export async function createProof(
  { kind, challenge, site_key }: ChallengeResponse,
  context: FlowContext,
): Promise<string> {
  if (kind === 'altcha' && challenge) {
    const altchaChallenge = challenge as Challenge;
    const solution = await solveChallenge({ challenge: altchaChallenge, deriveKey });
    return btoa(JSON.stringify({ challenge: altchaChallenge, solution }));
  }
  if (!site_key || !isCaptchaProvider(kind)) throw new Error(`Unsupported challenge: ${kind}.`);
  const { Captcha } = await importChunk(() => import('./captcha.ts'));
  return new Captcha(context, kind, site_key).token();
}
