import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { importChunk } from '../shared/import-chunk.ts';
import { call } from '../shared/http.ts';
import type { FlowContext } from './flow-context.ts';
import type { ChallengeResponse } from './challenge.ts';
import { withRetry, type WaitForRetry } from './retry-policy.ts';

/** The donation, with the value of the honeypot field if a bot has filled it in. */
type HoneypotInput = CreatePaymentIntent & { website?: string };

/**
 * With this media type the server returns the challenge as a 200 response instead of an error 428,
 * which browsers log in red: docs/decisions/0047-card-testing.md
 */
const ACCEPT = 'application/json, application/vnd.connect.challenge+json';

/** Two, because a proof is bound to a visitor's session, and the session may be renewed in between. */
const MAX_PROOFS = 2;

interface IntentOptions {
  idempotencyKey: string;
  wait: WaitForRetry;
}

/**
 * Creates the payment intent of a donation on the server (BFF): `server/routes/payment-intents.ts`.
 *
 * An expired session is renewed. Every retry sends the same idempotency key, so that at most one
 * intent is created: docs/decisions/0009-idempotency.md
 */
export function createPaymentIntent(
  context: FlowContext,
  input: CreatePaymentIntent,
  { wait, idempotencyKey }: IntentOptions,
): Promise<PaymentIntent> {
  const { server, session, signal } = context;
  let renewed = false;
  let proof: string | undefined;
  let proofs = 0;
  const requestIntent = async (): Promise<PaymentIntent> => {
    const { session_token: token, proof_required } = await session.open();
    try {
      // If it is known that a proof is required, it is computed first, which avoids a failing request.
      if (!proof && (proof_required || session.needsProof)) proof = await solveChallenge(token);
      const headers = {
        accept: ACCEPT,
        'idempotency-key': idempotencyKey,
        ...(proof && { proof }),
      };
      const response = await call<PaymentIntent | ChallengeResponse>(`${server}/payment-intents`, {
        body: JSON.stringify(input),
        headers,
        token,
        signal,
      });
      if (!('kind' in response)) return response;
      if (proofs++ >= MAX_PROOFS)
        throw new ConnectError('proof_required', 'The server rejected the proof.');
      session.needsProof = true;
      await wait(0, 'proof_required');
      proof = await prove(response, context);
    } catch (error) {
      const { type, code, retryAfterSeconds, queuePosition } = error as ConnectError;
      if (code === 'processor_busy') {
        // The server keeps the place in line for this key, however long the wait is.
        await wait(retryAfterSeconds ?? 1, type, queuePosition);
        return requestIntent();
      }
      if (type === 'unauthorized' && !renewed) {
        renewed = true;
        session.expire();
        return requestIntent();
      }
      if (type !== 'proof_required' || proofs++ >= MAX_PROOFS) throw error;
      session.needsProof = true;
      proof = undefined;
    }
    return requestIntent();
  };
  const solveChallenge = async (token: string): Promise<string> => {
    await wait(0, 'proof_required');
    const challenge = await call<ChallengeResponse>(`${server}/challenges`, {
      body: JSON.stringify({ website: (input as HoneypotInput).website }),
      headers: { 'idempotency-key': idempotencyKey },
      token,
      signal,
    });
    return prove(challenge, context);
  };
  return withRetry(requestIntent, wait);
}

const prove = async (challenge: ChallengeResponse, context: FlowContext) =>
  (await importChunk(() => import('./challenge.ts'))).createProof(challenge, context);
