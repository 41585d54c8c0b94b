import type { PaymentIntentStatus } from '@connect-embed/contract';
import type { OpenIntent } from './create-payment-intent.ts';
import { call } from './http.ts';
import { pause, type Session } from './session.ts';

/** The donation is recorded on the processor's report, which takes a moment. */
const PAUSES_SECONDS = [1, 2, 5];

/**
 * Asks what the API calls the donation that a payment became.
 *
 * A courtesy: the gift is made with or without an answer, so any trouble ends the asking.
 */
export async function lookUpDonation(
  session: Session,
  intent: OpenIntent,
  signal: AbortSignal,
): Promise<string | undefined> {
  const token = intent.status_token ?? session.token;
  const url = `${session.server}/payment-intents/${encodeURIComponent(intent.payment_intent_id)}`;
  for (const seconds of PAUSES_SECONDS) {
    await pause(seconds);
    if (signal.aborted) return undefined;
    try {
      const { donation_id } = await call<PaymentIntentStatus>(url, { token, signal });
      if (donation_id) return donation_id;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
