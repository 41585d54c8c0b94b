import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call, type Call } from './http.ts';
import type { FormContext } from './form-context.ts';
import type { ChallengeAnswer } from './challenge.ts';
import { withRetry, type Failure, type EmbedSession, type WaitForRetry } from './embed-session.ts';

/** With what opens the donation that becomes of it, where the server gives it. */
export type OpenIntent = PaymentIntent & { status_token?: string };

/** A gift with what a program may have filled in, and no person. */
type HoneypotInput = CreatePaymentIntent & { website?: string };

/** With this the server answers with the challenge itself in place of 428, which browsers print in red. */
const ACCEPT = 'application/json, application/vnd.connect.challenge+json';

/** A proof is for one visitor: a session that is renewed needs another. */
const MAX_PROOFS = 2;

export interface IntentOptions {
  idempotencyKey: string;
  wait: WaitForRetry;
}

/** Sessions of this page under which a gift has been refused for want of a proof. */
const sessionsNeedingProof = new WeakSet<EmbedSession>();

/** Knowing it beforehand saves a request that fails, which browsers print in red. */
const needsProof = ({ formSession, session }: FormContext) =>
  formSession.proof_required === true || sessionsNeedingProof.has(session);

/**
 * Asks the server for the one payment intent of a gift: `server/routes/payment-intents.ts`.
 *
 * A session that has expired is renewed on the way. Every repetition carries the same key, so that
 * it is the same intent however often it is asked for: docs/decisions/0009-idempotency.md
 */
export function createPaymentIntent(
  context: FormContext,
  input: CreatePaymentIntent,
  { wait, idempotencyKey }: IntentOptions,
): Promise<OpenIntent> {
  const { session, signal } = context;
  let renewed = false;
  let proof: string | undefined;
  let proofs = 0;
  const requestIntent = async (): Promise<OpenIntent> => {
    if (!session.token) await session.renew(signal);
    const { server, token } = session;
    const requestOptions = { token, idempotencyKey, signal };
    try {
      if (!proof && needsProof(context)) proof = await solveChallenge(requestOptions);
      const body = JSON.stringify(input);
      const sent = { ...requestOptions, body, proof, accept: ACCEPT };
      const answer = await call<OpenIntent | ChallengeAnswer>(`${server}/payment-intents`, sent);
      if (!('kind' in answer)) return answer;
      if (proofs++ >= MAX_PROOFS)
        throw new ConnectError('proof_required', 'The server takes no proof of this page.');
      sessionsNeedingProof.add(session);
      await wait(0, 'proof_required');
      proof = await prove(answer, context);
    } catch (error) {
      const { type } = error as Failure;
      if (type === 'unauthorized' && !renewed) {
        renewed = true;
        session.token = undefined;
        return requestIntent();
      }
      if (type !== 'proof_required' || proofs++ >= MAX_PROOFS) throw error;
      sessionsNeedingProof.add(session);
      proof = undefined;
    }
    return requestIntent();
  };
  const solveChallenge = async (requestOptions: Call): Promise<string> => {
    await wait(0, 'proof_required');
    const body = JSON.stringify({ website: (input as HoneypotInput).website });
    const challenge = await call<ChallengeAnswer>(`${session.server}/challenges`, {
      ...requestOptions,
      body,
    });
    return prove(challenge, context);
  };
  return withRetry(requestIntent, wait);
}

const prove = async (asked: ChallengeAnswer, opened: FormContext) =>
  (await import('./challenge.ts')).answerChallenge(asked, opened);
