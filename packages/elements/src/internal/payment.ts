import type { CreatePaymentIntent } from '@connect-embed/contract';
import { PaymentAttempt } from './idempotency-key.ts';
import type { CardFields } from './card-fields.ts';
import { createPaymentIntent, type OpenIntent } from './create-payment-intent.ts';
import { returnUrl } from './redirect-return.ts';
import { PaymentStorage, type StoredAttempt } from './payment-storage.ts';
import type { DonorInput } from './donation-draft.ts';
import { withTabLock } from './tab-lock.ts';
import type { FormContext } from './form-context.ts';
import type { Outcome, Paid } from './payment-outcome.ts';
import type { Failure, WaitForRetry } from './embed-session.ts';

/** A gift of another tab is news for so long. */
const RECENT_PAYMENT_MS = 10 * 60_000;

/** What a press of Give hands over. */
export interface Submission {
  gift: CreatePaymentIntent;
  values: DonorInput;
  wait: WaitForRetry;
  /** The server has made the intent, and the card is about to be charged. */
  onConfirm: () => void;
  /** Another tab is giving at this moment, so this one waits. */
  onWait: () => void;
}

/**
 * The money's part of a gift: one intent, one charge, and the truth about it, whatever happens to
 * the line, the page or the tab in between.
 *
 * Before each step it is written down what the step may do, so that whoever comes after a crash
 * can ask the processor: docs/decisions/0040-one-gift-one-charge.md
 */
export class Payment {
  readonly storage: PaymentStorage;
  readonly #context: FormContext;
  readonly #cardFields: CardFields;
  readonly #attempt = new PaymentAttempt();
  /** Intents of this page that may have been charged without our knowing, by client secret. */
  readonly #unknownSecrets = new Set<string>();
  /** Ends the waiting of a try that can no longer be answered. */
  #abandonWait = () => {};
  /** What the donor has been asked about already; a second press is a yes. */
  readonly #confirmedWarnings = new Set<string>();

  constructor(context: FormContext, card: CardFields) {
    this.#context = context;
    this.#cardFields = card;
    this.storage = new PaymentStorage(context.session.server, context.name);
  }

  /** One gift, once: makes its intent, charges the card, and finds out what became of it. */
  pay(submission: Submission): Promise<Outcome> {
    const { signal, session, name } = this.#context;
    const lock = `${session.server} ${name ?? ''}`;
    return withTabLock(lock, signal, submission.onWait, (waited) => {
      const abandoned = new Promise<Outcome>((resolve) => {
        this.#abandonWait = () => resolve({ kind: 'unknown' });
      });
      return Promise.race([this.#payLocked(submission, waited), abandoned]);
    });
  }

  async #payLocked(
    { gift, values, wait, onConfirm }: Submission,
    waited: boolean,
  ): Promise<Outcome> {
    const earlier =
      (await this.#checkEarlierAttempts(waited)) ?? this.#findRecentPayment(gift, waited);
    if (earlier) return earlier;
    if (!(await this.#cardFields.submit())) return { kind: 'incomplete' };
    const key = this.#attempt.keyFor(gift);
    this.storage.ownAttempt = { key, gift, values };
    const intent = await this.#getIntent(gift, wait);
    this.storage.ownAttempt = { key: this.#attempt.key, gift, values, intent };
    this.storage.addOpen(intent.client_secret);
    const billing = { name: gift.donor_name ?? '', email: gift.donor_email ?? '' };
    const back = returnUrl(this.#context.name);
    onConfirm();
    const confirmed = await this.#cardFields.confirm(intent, billing, back);
    return this.#recordOutcome(confirmed, intent.client_secret);
  }

  /**
   * The donor left for a bank and came back to this very page: its answer will never come, so it
   * is asked for, and the next press need not wait.
   */
  resumeAfterReturn(): Promise<Outcome> | undefined {
    const secret = this.#attempt.intent?.client_secret;
    if (!secret) return undefined;
    this.#abandonWait();
    return this.retrieveOutcome(secret);
  }

  /** Takes up a gift that this tab began before it was reloaded or left. */
  async resume(record: StoredAttempt): Promise<Outcome | undefined> {
    this.#attempt.resume(record);
    return record.intent && this.retrieveOutcome(record.intent.client_secret);
  }

  /** What became of a gift whose donor was led away by a bank, and is back. */
  async retrieveOutcome(clientSecret: string): Promise<Outcome> {
    return this.#recordOutcome(await this.#cardFields.retrieveOutcome(clientSecret), clientSecret);
  }

  /** What became of the gift whose outcome nobody told; undefined when there is none such. */
  async checkUnknown(): Promise<Outcome | undefined> {
    const [secret] = this.#unknownSecrets;
    return secret === undefined ? undefined : this.retrieveOutcome(secret);
  }

  /** The client secret of the gift that is under way. */
  get #currentSecret(): string | undefined {
    return this.#attempt.intent?.client_secret;
  }

  /** Nothing new is charged while an earlier try has gone through, or may have. */
  async #checkEarlierAttempts(waited: boolean): Promise<Outcome | undefined> {
    const sharedSecrets = this.storage.shared.open.map(({ secret }) => secret);
    for (const secret of new Set([...this.#unknownSecrets, ...sharedSecrets])) {
      const earlier = await this.#cardFields.retrieveOutcome(secret);
      // What the tab that was waited for has written down may come a moment after its lock.
      const isOtherTabs = waited && !this.#unknownSecrets.has(secret);
      if (earlier.kind === 'canceled') this.#recordOutcome(earlier, secret);
      else if (earlier.kind === 'paid' && isOtherTabs) {
        this.#recordOutcome(earlier, secret);
        return { kind: 'repeated', amountCents: earlier.amountCents };
      } else if (earlier.kind !== 'declined') return this.#recordOutcome(earlier, secret);
      else if (secret !== this.#currentSecret) {
        const waiting = this.#warnOnceAboutPending(earlier.pendingAmountCents, secret);
        if (waiting) return waiting;
        this.storage.removeOpen(secret);
      }
    }
    return undefined;
  }

  #warnOnceAboutPending(amountCents: number | undefined, secret: string): Outcome | undefined {
    if (!amountCents || this.#confirmedWarnings.has(secret)) return undefined;
    this.#confirmedWarnings.add(secret);
    return { kind: 'waiting', amountCents };
  }

  /** As much was given in another tab a moment ago: is this another gift, or the same one? */
  #findRecentPayment({ amount_cents }: CreatePaymentIntent, waited: boolean): Outcome | undefined {
    const { paid } = this.storage.shared;
    if (!paid || Date.now() - paid.at > RECENT_PAYMENT_MS) return undefined;
    const warningKey = `${paid.at}`;
    if (this.#confirmedWarnings.has(warningKey) || !(waited || paid.amountCents === amount_cents))
      return undefined;
    this.#confirmedWarnings.add(warningKey);
    return { kind: 'repeated', amountCents: paid.amountCents };
  }

  /** The intent of this gift: one, however often Give is pressed for it. */
  async #getIntent(
    gift: CreatePaymentIntent,
    wait: WaitForRetry,
    again = true,
  ): Promise<OpenIntent> {
    const idempotencyKey = this.#attempt.keyFor(gift);
    try {
      const call = { idempotencyKey, wait };
      return (this.#attempt.intent ??= await createPaymentIntent(this.#context, gift, call));
    } catch (error) {
      if (!again || (error as Failure).type !== 'conflict') throw error;
      this.#attempt.reset(); // The key is spent, and no intent of it was ever confirmed.
      return this.#getIntent(gift, wait, false);
    }
  }

  #recordOutcome(outcome: Outcome, secret: string): Outcome {
    const { kind } = outcome;
    if (kind === 'unknown') this.#unknownSecrets.add(secret);
    // A declined one stays under watch: its try may still have been on its way.
    else if (kind !== 'declined') this.#unknownSecrets.delete(secret);
    if (kind === 'canceled' && secret === this.#currentSecret) this.#attempt.reset();
    const refused =
      kind === 'declined' && !outcome.pendingAmountCents && !this.#unknownSecrets.has(secret);
    if (refused || kind === 'canceled') this.storage.removeOpen(secret);
    if (kind === 'paid' || kind === 'processing') this.#recordPaid(outcome, secret);
    return outcome;
  }

  #recordPaid({ amountCents }: Paid, secret: string) {
    this.storage.removeOpen(secret, amountCents);
    this.#confirmedWarnings.add(`${this.storage.shared.paid?.at}`);
    if (secret === this.#currentSecret) this.#attempt.reset();
  }
}
