import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import type { ConnectError } from '@connect-embed/contract/error';
import { PaymentAttempt } from './payment-attempt.ts';
import type { PaymentFields } from './payment-fields.ts';
import { createPaymentIntent } from './create-payment-intent.ts';
import { returnUrl } from './redirect-return.ts';
import { PaymentStorage, type StoredAttempt } from './payment-storage.ts';
import type { DonorInput } from './donation-draft.ts';
import { withTabLock, type WaitMessages } from './tab-lock.ts';
import type { FlowContext } from './flow-context.ts';
import type { Outcome, Paid } from './payment-outcome.ts';
import type { WaitForRetry } from './retry-policy.ts';

/** A payment of another tab counts as recent for this time. */
const RECENT_PAYMENT_MS = 10 * 60_000;

/** The input of a submission. */
interface Submission extends WaitMessages {
  donation: CreatePaymentIntent;
  values: DonorInput;
  wait: WaitForRetry;
  /** Called when the intent exists and the card is about to be charged. */
  onConfirm: () => void;
}

/**
 * Pays a donation: creates one payment intent, charges it once and finds out its outcome, also
 * after a network error, a reload or a crash of the tab.
 *
 * Each step that may charge the card is stored before it starts, so that after a crash the outcome
 * can be retrieved from Stripe: docs/decisions/0040-one-donation-one-charge.md
 */
export class Payment {
  readonly storage: PaymentStorage;
  readonly #context: FlowContext;
  readonly #paymentFields: PaymentFields;
  readonly #attempt: PaymentAttempt;
  /** Client secrets of this page's intents that may have been charged without a known outcome. */
  readonly #unknownSecrets = new Set<string>();
  /** Ends a submission whose result can no longer arrive. */
  #abandonWait = () => {};
  /** Keys of the warnings that the donor has seen. A second press confirms the donation. */
  readonly #confirmedWarnings = new Set<string>();

  constructor(context: FlowContext, paymentFields: PaymentFields) {
    this.#context = context;
    this.#paymentFields = paymentFields;
    this.#attempt = new PaymentAttempt(context.draft.form.payment_method_types);
    this.storage = new PaymentStorage(context.server, context.name);
  }

  /**
   * Creates the intent, charges the card and returns the outcome. Only one tab of the browser does
   * this at a time.
   */
  async pay(submission: Submission): Promise<Outcome> {
    const { signal, server, name } = this.#context;
    const lock = `${server} ${name ?? ''}`;
    const outcome = await withTabLock(lock, signal, submission, (waited) => {
      const abandoned = new Promise<Outcome>((resolve) => {
        this.#abandonWait = () => resolve({ kind: 'unknown' });
      });
      return Promise.race([this.#payLocked(submission, waited), abandoned]);
    });
    return outcome ?? { kind: 'stopped' };
  }

  async #payLocked(
    { donation, values, wait, onConfirm }: Submission,
    waited: boolean,
  ): Promise<Outcome> {
    const earlier =
      (await this.#checkEarlierAttempts(waited)) ?? this.#findRecentPayment(donation, waited);
    if (earlier) return earlier;
    if (!(await this.#paymentFields.submit())) return { kind: 'incomplete' };
    const key = this.#attempt.keyFor(donation);
    const methods = this.#context.draft.form.payment_method_types;
    this.storage.ownAttempt = { key, donation, values, methods };
    const intent = await this.#getIntent(donation, wait);
    this.storage.ownAttempt = { key: this.#attempt.key, donation, values, methods, intent };
    this.storage.addOpen(intent.client_secret);
    const billing = { name: donation.donor_name ?? '', email: donation.donor_email ?? '' };
    const back = returnUrl(this.#context);
    onConfirm();
    const confirmed = await this.#paymentFields.confirm(intent, billing, back);
    return this.#recordOutcome(confirmed, intent.client_secret);
  }

  /**
   * Retrieves the outcome after the donor went to a bank and returned to this page from the
   * browser's back/forward cache: the pending confirmation never resolves in that case. The next
   * press need not wait for it.
   */
  resumeAfterReturn(): Promise<Outcome> | undefined {
    const secret = this.#attempt.intent?.client_secret;
    if (!secret) return undefined;
    this.#abandonWait();
    return this.retrieveOutcome(secret);
  }

  /** Continues an attempt that this tab began before it was reloaded or left. */
  async resume(record: StoredAttempt): Promise<Outcome | undefined> {
    this.#attempt.resume(record);
    return record.intent && this.retrieveOutcome(record.intent.client_secret);
  }

  /** Retrieves the outcome of an intent, such as after a redirect to a bank. */
  async retrieveOutcome(clientSecret: string): Promise<Outcome> {
    return this.#recordOutcome(
      await this.#paymentFields.retrieveOutcome(clientSecret),
      clientSecret,
    );
  }

  /** Retrieves the outcome of an earlier payment that is unknown; undefined if there is none. */
  async checkUnknown(): Promise<Outcome | undefined> {
    const [secret] = this.#unknownSecrets;
    return secret === undefined ? undefined : this.retrieveOutcome(secret);
  }

  /** The client secret of the current intent. */
  get #currentSecret(): string | undefined {
    return this.#attempt.intent?.client_secret;
  }

  /**
   * Looks up earlier attempts. If one was or may have been charged, returns its outcome, and
   * nothing new is charged.
   */
  async #checkEarlierAttempts(waited: boolean): Promise<Outcome | undefined> {
    const sharedSecrets = this.storage.shared.open.map(({ secret }) => secret);
    for (const secret of new Set([...this.#unknownSecrets, ...sharedSecrets])) {
      const earlier = await this.#paymentFields.retrieveOutcome(secret);
      // The other tab may store its result shortly after it has released the lock.
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

  /**
   * Warns if another tab has just paid the same amount, or if this tab has waited for that payment,
   * because this may be the same donation submitted twice.
   */
  #findRecentPayment({ amount_cents }: CreatePaymentIntent, waited: boolean): Outcome | undefined {
    const { paid } = this.storage.shared;
    if (!paid || Date.now() - paid.at > RECENT_PAYMENT_MS) return undefined;
    const warningKey = `${paid.at}`;
    if (this.#confirmedWarnings.has(warningKey) || !(waited || paid.amountCents === amount_cents))
      return undefined;
    this.#confirmedWarnings.add(warningKey);
    return { kind: 'repeated', amountCents: paid.amountCents };
  }

  /** Returns the intent of this donation. Repeated submissions of the same content get the same intent. */
  async #getIntent(
    donation: CreatePaymentIntent,
    wait: WaitForRetry,
    again = true,
  ): Promise<PaymentIntent> {
    const idempotencyKey = this.#attempt.keyFor(donation);
    try {
      const call = { idempotencyKey, wait };
      return (this.#attempt.intent ??= await createPaymentIntent(this.#context, donation, call));
    } catch (error) {
      if (!again || (error as ConnectError).code !== 'idempotency_key_reused') throw error;
      // The server rejects this key, and no intent created with it was confirmed.
      this.#attempt.reset();
      return this.#getIntent(donation, wait, false);
    }
  }

  #recordOutcome(outcome: Outcome, secret: string): Outcome {
    const { kind } = outcome;
    if (kind === 'unknown') this.#unknownSecrets.add(secret);
    // A declined intent with an unknown attempt stays in the set, because that attempt may still
    // succeed.
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
