import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call, type Call } from './http.ts';
import type { OpenedForm } from './opened-form.ts';
import type { ChallengeAnswer } from './proof.ts';
import { patiently, type Failure, type Session, type Wait } from './session.ts';

/** With what opens the donation that becomes of it, where the server gives it. */
export type OpenIntent = PaymentIntent & { status_token?: string };

/** A gift with what a program may have filled in, and no person. */
type Trapped = CreatePaymentIntent & { website?: string };

/** With this the server answers with the challenge itself in place of 428, which browsers print in red. */
const ACCEPT = 'application/json, application/vnd.connect.challenge+json';

/** A proof is for one visitor: a session that is renewed needs another. */
const MOST_PROOFS = 2;

export interface GiftCall {
  idempotencyKey: string;
  wait: Wait;
}

/** Sessions of this page under which a gift has been refused for want of a proof. */
const refusedSessions = new WeakSet<Session>();

/** Knowing it beforehand saves a request that fails, which browsers print in red. */
const wantsProof = ({ answer, session }: OpenedForm) =>
  answer.proof_required === true || refusedSessions.has(session);

/**
 * Asks the server for the one payment intent of a gift: `server/routes/payment-intents.ts`.
 *
 * A session that has expired is renewed on the way. Every repetition carries the same key, so that
 * it is the same intent however often it is asked for: docs/decisions/0009-idempotency.md
 */
export function createPaymentIntent(
  opened: OpenedForm,
  gift: CreatePaymentIntent,
  { wait, idempotencyKey }: GiftCall,
): Promise<OpenIntent> {
  const { session, signal } = opened;
  let renewed = false;
  let proof: string | undefined;
  let proofs = 0;
  const ask = async (): Promise<OpenIntent> => {
    if (!session.token) await session.renew(signal);
    const { server, token } = session;
    const gifted = { token, idempotencyKey, signal };
    try {
      if (!proof && wantsProof(opened)) proof = await solve(gifted);
      const body = JSON.stringify(gift);
      const sent = { ...gifted, body, proof, accept: ACCEPT };
      const answer = await call<OpenIntent | ChallengeAnswer>(`${server}/payment-intents`, sent);
      if (!('kind' in answer)) return answer;
      if (proofs++ >= MOST_PROOFS)
        throw new ConnectError('proof_required', 'The server takes no proof of this page.');
      refusedSessions.add(session);
      await wait(0, 'proof_required');
      proof = await prove(answer, opened);
    } catch (error) {
      const { type } = error as Failure;
      if (type === 'unauthorized' && !renewed) {
        renewed = true;
        session.token = undefined;
        return ask();
      }
      if (type !== 'proof_required' || proofs++ >= MOST_PROOFS) throw error;
      refusedSessions.add(session);
      proof = undefined;
    }
    return ask();
  };
  const solve = async (gifted: Call): Promise<string> => {
    await wait(0, 'proof_required');
    const body = JSON.stringify({ website: (gift as Trapped).website });
    const asked = await call<ChallengeAnswer>(`${session.server}/challenges`, { ...gifted, body });
    return prove(asked, opened);
  };
  return patiently(ask, wait);
}

const prove = async (asked: ChallengeAnswer, opened: OpenedForm) =>
  (await import('./proof.ts')).prove(asked, opened);
