import { ConnectSuccessEvent } from '../gift-events.ts';
import { lookUpDonation } from './donation-lookup.ts';
import type { GiftRecord, GiftRecords, MadeGift } from './gift-record.ts';
import { wordsOf } from './messages/give.ts';
import type { OpenedForm } from './opened-form.ts';
import type { Paid } from './outcome.ts';
import { renderThanks } from './thanks-face.ts';

/** Leaves the page, and any frame that it stands in; replaced in tests. */
export const exit = {
  to: (url: string) => (self === top ? location.assign(url) : void open(url, '_top')),
};

/** What stands before a name, or is none: nobody wants to be called by it. */
const NO_NAME = /\.$|^(the|dr|mrs?|ms|mx|prof|sir|frau|herr|familie|famille|familia|mme|sra?)$/i;

/** What a donor is called by; empty where it cannot be told. */
function firstNameOf(name: string): string {
  const [first = ''] = name.trim().split(/\s+/);
  return NO_NAME.test(first) ? '' : first;
}

/** The end of a gift: the thank-you, and after it the donation's own name. */
export class Thanking {
  readonly #opened: OpenedForm;
  readonly #records: GiftRecords;
  readonly #onAgain: () => void;
  #latest: MadeGift | undefined;

  constructor(opened: OpenedForm, records: GiftRecords, onAgain: () => void) {
    this.#opened = opened;
    this.#records = records;
    this.#onAgain = onAgain;
  }

  /** The processor has the gift: says so to the donor and to the page. */
  thank(outcome: Paid) {
    const { draft, host, answer } = this.#opened;
    const { name, email, frequency } = draft.values;
    const made = {
      ...outcome,
      at: Date.now(),
      firstName: firstNameOf(name),
      email: email.trim(),
      often: frequency === 'one_time' ? ('' as const) : frequency,
    };
    const record = this.#records.own;
    this.#latest = made;
    this.show(made);
    this.#keep(made, record);
    const { amountCents, currency, reference, kind } = outcome;
    const pending = kind === 'processing';
    host.dispatchEvent(new ConnectSuccessEvent(reference, amountCents, currency, pending));
    const { success_url } = answer.form.terms;
    if (success_url) return exit.to(successUrl(success_url, reference));
    void host.updateComplete.then(() =>
      host.renderRoot.querySelector<HTMLElement>('#title')?.focus(),
    );
    void this.#lookUp(made, record);
  }

  /** Also after a reload, for as long as the tab makes no other gift. */
  show(made: MadeGift) {
    const { draft, answer, show } = this.#opened;
    const texts = wordsOf(draft);
    const { organization, receipts, livemode } = answer.form;
    const thanks = renderThanks(
      {
        ...made,
        texts,
        language: draft.wording.words,
        outcome: made,
        amount: draft.money(made.amountCents),
        date: new Intl.DateTimeFormat(draft.language, { dateStyle: 'long' }).format(made.at),
        organization: organization.name,
        receipts,
        test: livemode ? '' : `${texts.testMode}: ${texts.testModeHint}`,
        reference: made.donationId ?? made.reference,
      },
      this.#onAgain,
    );
    show({ status: 'done', busy: '', spoken: '', notice: undefined, problems: {}, thanks });
  }

  /** From here on a reload thanks again; what the donor typed is forgotten. */
  #keep(paid: MadeGift, record: GiftRecord | undefined) {
    const { key = '', gift = { amount_cents: paid.amountCents } } = record ?? {};
    const { amount_cents } = gift;
    this.#records.own = { key, gift: { amount_cents }, paid };
  }

  async #lookUp(made: MadeGift, record: GiftRecord | undefined) {
    const { session, signal } = this.#opened;
    const intent = record?.intent;
    if (intent?.payment_intent_id !== made.reference) return;
    const donationId = await lookUpDonation(session, intent, signal);
    // Another gift may be under way by now, or thanked for.
    if (!donationId || this.#latest !== made || this.#opened.face.status !== 'done') return;
    const known = { ...made, donationId };
    this.show(known);
    this.#keep(known, record);
  }
}

/** The form's own page for the moment after; it is told which gift it was. */
function successUrl(address: string, reference: string): string {
  const url = new URL(address);
  url.searchParams.set('payment_intent', reference);
  return url.href;
}
