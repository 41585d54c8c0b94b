import type { CreatePaymentIntent, EmbedForm, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { Attempt } from './attempt.ts';
import { Card, type CardOwner } from './card.ts';
import { returnUrl } from './gift-return.ts';
import { createPaymentIntent } from './create-payment-intent.ts';
import type { Outcome } from './outcome.ts';
import type { Session, Wait } from './session.ts';

export { givingStyles } from './giving.styles.ts';
export { amountOf, problemsOf } from './gift-check.ts';
export { giftFailure, outcomeText } from './messages/give.ts';
export { renderThanks } from './thanks-face.ts';

/**
 * Everything that comes after the form is drawn: the card's fields and the path of a press of Give.
 *
 * A file of its own that the form fetches once it is drawn, so that drawing does not wait for it.
 */
export class Giving {
  readonly card: Card;
  readonly #session: Session;
  readonly #formName: string | null;
  readonly #attempt = new Attempt();
  /** Intents that may have been charged without our knowing, by client secret. */
  readonly #unsettled = new Set<string>();

  constructor(owner: CardOwner, session: Session, form: EmbedForm, formName: string | null) {
    this.card = new Card(owner, form);
    this.#session = session;
    this.#formName = formName;
  }

  /** One gift, once: makes its intent, charges the card, and finds out what became of it. */
  async give(gift: CreatePaymentIntent, signal: AbortSignal, wait: Wait): Promise<Outcome> {
    const earlier = await this.#readUnsettled();
    if (earlier) return earlier;
    if (!(await this.card.submit())) return { kind: 'incomplete' };
    const intent = await this.#intentOf(gift, signal, wait);
    const billing = { name: gift.donor_name ?? '', email: gift.donor_email ?? '' };
    const confirmed = await this.card.confirm(intent, billing, returnUrl(this.#formName));
    return this.#note(confirmed, intent.client_secret);
  }

  /** What became of a gift whose donor was led away by a bank, and is back. */
  async readBack(clientSecret: string): Promise<Outcome> {
    return this.#note(await this.card.readBack(clientSecret), clientSecret);
  }

  /** Nothing new is charged while an earlier try has gone through, or may have. */
  async #readUnsettled(): Promise<Outcome | undefined> {
    for (const secret of this.#unsettled) {
      const earlier = await this.card.readBack(secret);
      if (earlier.kind !== 'declined' && earlier.kind !== 'canceled') {
        return this.#note(earlier, secret);
      }
    }
    return undefined;
  }

  /** The intent of this gift: one, however often Give is pressed for it. */
  async #intentOf(
    gift: CreatePaymentIntent,
    signal: AbortSignal,
    wait: Wait,
    again = true,
  ): Promise<PaymentIntent> {
    const idempotencyKey = this.#attempt.keyFor(gift);
    try {
      return (this.#attempt.intent ??= await createPaymentIntent(this.#session, gift, {
        idempotencyKey,
        signal,
        wait,
      }));
    } catch (error) {
      if (!again || !(error instanceof ConnectError) || error.type !== 'conflict') throw error;
      this.#attempt.forget(); // The key is spent, and no intent of it was ever confirmed.
      return this.#intentOf(gift, signal, wait, false);
    }
  }

  #note(outcome: Outcome, secret: string): Outcome {
    if (outcome.kind === 'unknown') this.#unsettled.add(secret);
    // A declined one stays under watch: its try may still have been on its way.
    else if (outcome.kind !== 'declined') this.#unsettled.delete(secret);
    if (outcome.kind === 'canceled') this.#attempt.forget();
    return outcome;
  }
}
