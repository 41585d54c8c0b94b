import type { CreatePaymentIntent } from '@connect-embed/contract';
import { Attempt } from './attempt.ts';
import type { Card } from './card.ts';
import { createPaymentIntent, type OpenIntent } from './create-payment-intent.ts';
import { returnUrl } from './gift-return.ts';
import { GiftRecords, type GiftRecord } from './gift-record.ts';
import type { Values } from './gift-draft.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { OpenedForm } from './opened-form.ts';
import type { Outcome, Paid } from './outcome.ts';
import type { Failure, Wait } from './session.ts';

/** A gift of another tab is news for so long. */
const RECENT_MS = 10 * 60_000;

/** What a press of Give hands over. */
export interface Press {
  gift: CreatePaymentIntent;
  values: Values;
  wait: Wait;
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
  readonly records: GiftRecords;
  readonly #opened: OpenedForm;
  readonly #card: Card;
  readonly #attempt = new Attempt();
  /** Intents of this page that may have been charged without our knowing, by client secret. */
  readonly #unsettled = new Set<string>();
  /** Ends the waiting of a try that can no longer be answered. */
  #abandon = () => {};
  /** What the donor has been asked about already; a second press is a yes. */
  readonly #asked = new Set<string>();

  constructor(opened: OpenedForm, card: Card) {
    this.#opened = opened;
    this.#card = card;
    this.records = new GiftRecords(opened.session.server, opened.name);
  }

  /** One gift, once: makes its intent, charges the card, and finds out what became of it. */
  give(press: Press): Promise<Outcome> {
    const { signal, session, name } = this.#opened;
    const lock = `${session.server} ${name ?? ''}`;
    return oneAtATime(lock, signal, press.onWait, (waited) => {
      const abandoned = new Promise<Outcome>((resolve) => {
        this.#abandon = () => resolve({ kind: 'unknown' });
      });
      return Promise.race([this.#giveNow(press, waited), abandoned]);
    });
  }

  async #giveNow({ gift, values, wait, onConfirm }: Press, waited: boolean): Promise<Outcome> {
    const earlier = (await this.#readUnsettled(waited)) ?? this.#recentOf(gift, waited);
    if (earlier) return earlier;
    if (!(await this.#card.submit())) return { kind: 'incomplete' };
    const key = this.#attempt.keyFor(gift);
    this.records.own = { key, gift, values };
    const intent = await this.#intentOf(gift, wait);
    this.records.own = { key: this.#attempt.key, gift, values, intent };
    this.records.opened(intent.client_secret);
    const billing = { name: gift.donor_name ?? '', email: gift.donor_email ?? '' };
    const back = returnUrl(this.#opened.name);
    onConfirm();
    const confirmed = await this.#card.confirm(intent, billing, back);
    return this.#note(confirmed, intent.client_secret);
  }

  /**
   * The donor left for a bank and came back to this very page: its answer will never come, so it
   * is asked for, and the next press need not wait.
   */
  comeBack(): Promise<Outcome> | undefined {
    const secret = this.#attempt.intent?.client_secret;
    if (!secret) return undefined;
    this.#abandon();
    return this.readBack(secret);
  }

  /** Takes up a gift that this tab began before it was reloaded or left. */
  async takeUp(record: GiftRecord): Promise<Outcome | undefined> {
    this.#attempt.takeUp(record);
    return record.intent && this.readBack(record.intent.client_secret);
  }

  /** What became of a gift whose donor was led away by a bank, and is back. */
  async readBack(clientSecret: string): Promise<Outcome> {
    return this.#note(await this.#card.readBack(clientSecret), clientSecret);
  }

  /** What became of the gift whose outcome nobody told; undefined when there is none such. */
  async look(): Promise<Outcome | undefined> {
    const [secret] = this.#unsettled;
    return secret === undefined ? undefined : this.readBack(secret);
  }

  /** The client secret of the gift that is under way. */
  get #underWay(): string | undefined {
    return this.#attempt.intent?.client_secret;
  }

  /** Nothing new is charged while an earlier try has gone through, or may have. */
  async #readUnsettled(waited: boolean): Promise<Outcome | undefined> {
    const ofTabs = this.records.shared.open.map(({ secret }) => secret);
    for (const secret of new Set([...this.#unsettled, ...ofTabs])) {
      const earlier = await this.#card.readBack(secret);
      // What the tab that was waited for has written down may come a moment after its lock.
      const ofOther = waited && !this.#unsettled.has(secret);
      if (earlier.kind === 'canceled') this.#note(earlier, secret);
      else if (earlier.kind === 'paid' && ofOther) {
        this.#note(earlier, secret);
        return { kind: 'repeated', amountCents: earlier.amountCents };
      } else if (earlier.kind !== 'declined') return this.#note(earlier, secret);
      else if (secret !== this.#underWay) {
        const waiting = this.#askOnce(earlier.waitsFor, secret);
        if (waiting) return waiting;
        this.records.closed(secret);
      }
    }
    return undefined;
  }

  #askOnce(amountCents: number | undefined, secret: string): Outcome | undefined {
    if (!amountCents || this.#asked.has(secret)) return undefined;
    this.#asked.add(secret);
    return { kind: 'waiting', amountCents };
  }

  /** As much was given in another tab a moment ago: is this another gift, or the same one? */
  #recentOf({ amount_cents }: CreatePaymentIntent, waited: boolean): Outcome | undefined {
    const { paid } = this.records.shared;
    if (!paid || Date.now() - paid.at > RECENT_MS) return undefined;
    const mark = `${paid.at}`;
    if (this.#asked.has(mark) || !(waited || paid.amountCents === amount_cents)) return undefined;
    this.#asked.add(mark);
    return { kind: 'repeated', amountCents: paid.amountCents };
  }

  /** The intent of this gift: one, however often Give is pressed for it. */
  async #intentOf(gift: CreatePaymentIntent, wait: Wait, again = true): Promise<OpenIntent> {
    const idempotencyKey = this.#attempt.keyFor(gift);
    try {
      const call = { idempotencyKey, wait };
      return (this.#attempt.intent ??= await createPaymentIntent(this.#opened, gift, call));
    } catch (error) {
      if (!again || (error as Failure).type !== 'conflict') throw error;
      this.#attempt.forget(); // The key is spent, and no intent of it was ever confirmed.
      return this.#intentOf(gift, wait, false);
    }
  }

  #note(outcome: Outcome, secret: string): Outcome {
    const { kind } = outcome;
    if (kind === 'unknown') this.#unsettled.add(secret);
    // A declined one stays under watch: its try may still have been on its way.
    else if (kind !== 'declined') this.#unsettled.delete(secret);
    if (kind === 'canceled' && secret === this.#underWay) this.#attempt.forget();
    const refused = kind === 'declined' && !outcome.waitsFor && !this.#unsettled.has(secret);
    if (refused || kind === 'canceled') this.records.closed(secret);
    if (kind === 'paid' || kind === 'processing') this.#paid(outcome, secret);
    return outcome;
  }

  #paid({ amountCents }: Paid, secret: string) {
    this.records.closed(secret, amountCents);
    this.#asked.add(`${this.records.shared.paid?.at}`);
    if (secret === this.#underWay) this.#attempt.forget();
  }
}
