import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call } from './http.ts';
import { patiently, type Session, type Wait } from './session.ts';

export interface GiftCall {
  idempotencyKey: string;
  signal: AbortSignal;
  wait: Wait;
}

/**
 * Asks the server for the one payment intent of a gift: `server/routes/payment-intents.ts`.
 *
 * A session that has expired is renewed on the way. Every repetition carries the same key, so that
 * it is the same intent however often it is asked for: docs/decisions/0009-idempotency.md
 */
export function createPaymentIntent(
  session: Session,
  gift: CreatePaymentIntent,
  { signal, wait, idempotencyKey }: GiftCall,
): Promise<PaymentIntent> {
  let renewed = false;
  const ask = async (): Promise<PaymentIntent> => {
    if (!session.token) await session.renew(signal);
    try {
      return await call<PaymentIntent>(`${session.server}/payment-intents`, {
        body: JSON.stringify(gift),
        token: session.token,
        idempotencyKey,
        signal,
      });
    } catch (error) {
      if (renewed || !(error instanceof ConnectError) || error.type !== 'unauthorized') throw error;
      renewed = true;
      session.token = undefined;
      return ask();
    }
  };
  return patiently(ask, wait);
}
