import type { CreatePaymentIntent, FormSession, PaymentIntent } from '@connect-embed/contract';
import { EmbedSession } from '@connect-embed/elements/form/embed-session.js';
import type { WaitForRetry } from '@connect-embed/elements/form/retry-policy.js';
import { recoverSession } from '@connect-embed/elements/form/session-recovery.js';
import { SITE } from '../faults/support/service-plans.ts';

/** `createPaymentIntent` of the form, which waits, repeats requests and solves proofs of work. */
type CreateIntent = (
  context: { session: EmbedSession; formSession: FormSession; signal: AbortSignal },
  input: CreatePaymentIntent,
  options: { idempotencyKey: string; wait: WaitForRetry },
) => Promise<PaymentIntent>;

// Not a literal, because the elements are checked with other settings: packages/elements/tsconfig.json
const CREATE_INTENT: string = '@connect-embed/elements/form/create-payment-intent.js';
const { createPaymentIntent } = (await import(CREATE_INTENT)) as {
  createPaymentIntent: CreateIntent;
};

export { createPaymentIntent, EmbedSession, recoverSession, type WaitForRetry };

/** Gives the form's code what it needs of a browser, and each request the headers of a donor at home. */
export function simulateBrowser(server: string): void {
  Object.assign(globalThis, { document: {} });
  Object.defineProperty(navigator, 'onLine', { value: true });
  const send = globalThis.fetch;
  globalThis.fetch = (url, init) => {
    if (typeof url !== 'string' || !url.startsWith(server)) return send(url, init);
    const headers = new Headers(init?.headers);
    headers.set('origin', SITE);
    headers.set('x-forwarded-for', `198.18.${randomByte()}.${randomByte()}`);
    return send(url, { ...init, headers });
  };
}

const randomByte = () => Math.floor(Math.random() * 256);
