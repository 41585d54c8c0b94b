import type { CreatePaymentIntent } from '@connect-embed/contract';
import type { OpenIntent } from './create-payment-intent.ts';
import type { StoredAttempt } from './payment-storage.ts';

/**
 * One gift, however often it is tried: the key and the intent belong to what is given.
 *
 * The same content keeps its key, so that a retry is answered with the same intent, and the
 * processor charges an intent once. Another amount, name or e-mail is another gift.
 */
export class PaymentAttempt {
  #content = '';
  key = '';
  /** The intent of this content, once the server has made it. */
  intent: OpenIntent | undefined;

  /** Goes on with a gift that this tab began before it was reloaded. */
  resume({ key, gift, intent }: StoredAttempt) {
    this.#content = JSON.stringify(gift);
    this.key = key;
    this.intent = intent;
  }

  /** The key for this content, new when the content is. */
  keyFor(gift: CreatePaymentIntent): string {
    const content = JSON.stringify(gift);
    if (content !== this.#content) {
      this.reset();
      this.#content = content;
    }
    return this.key;
  }

  /** The next press is a new gift, even with the same content. */
  reset() {
    this.#content = '';
    this.key = randomKey();
    this.intent = undefined;
  }
}

/** 128 random bits. (`randomUUID` is missing on pages without TLS, as in a local trial.) */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
