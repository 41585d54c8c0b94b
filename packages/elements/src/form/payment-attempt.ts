import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import type { StoredAttempt } from './payment-storage.ts';

/**
 * The idempotency key and payment intent of one donation, across all attempts.
 *
 * The same content keeps its key, so that a retry returns the same intent, which Stripe charges
 * only once. Another amount, name or email address is another donation with another key, and so are other
 * payment methods, because they are fixed in the intent.
 */
export class PaymentAttempt {
  #content = '';
  key = '';
  /** The payment intent, once the server has created it. */
  intent: PaymentIntent | undefined;
  readonly #methods: StoredAttempt['methods'];

  /** @param methods the payment methods that the form offers */
  constructor(methods: StoredAttempt['methods']) {
    this.#methods = methods;
  }

  /** Restores an attempt that this tab began before a reload. */
  resume({ key, donation, intent, methods }: StoredAttempt) {
    this.#content = JSON.stringify([donation, methods]);
    this.key = key;
    this.intent = intent;
  }

  /** Returns the key for this content; a new key if the content has changed. */
  keyFor(donation: CreatePaymentIntent): string {
    const content = JSON.stringify([donation, this.#methods]);
    if (content !== this.#content) {
      this.reset();
      this.#content = content;
    }
    return this.key;
  }

  /** Makes the next submission a new donation, even with the same content. */
  reset() {
    this.#content = '';
    this.key = randomKey();
    this.intent = undefined;
  }
}

/** 128 random bits. (`crypto.randomUUID` is missing on pages without TLS.) */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
