import { ConnectSuccessEvent } from '../gift-events.ts';
import { maskEmail } from './mask-email.ts';
import type { GiftRecord, GiftRecords, MadeGift } from './gift-record.ts';
import { wordsOf } from './messages/give.ts';
import { monthlyCents } from './monthly.ts';
import { nextPayment } from './next-payment.ts';
import type { OpenedForm } from './opened-form.ts';
import type { Paid } from './outcome.ts';
import { linkToShare, shareLink } from './share.ts';
import { focusIn } from './shown-problems.ts';
import { printThanks } from './thanks-paper.ts';
import { renderThanks, type Thanks, type ThanksActions } from './thanks-face.ts';

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

/** The end of a gift: the thank-you, and what a donor can do there. */
export class Thanking {
  readonly #opened: OpenedForm;
  readonly #records: GiftRecords;
  readonly #actions: Pick<ThanksActions, 'again' | 'monthly'>;
  #shared: Thanks['shared'];

  constructor(
    opened: OpenedForm,
    records: GiftRecords,
    actions: Pick<ThanksActions, 'again' | 'monthly'>,
  ) {
    this.#opened = opened;
    this.#records = records;
    this.#actions = actions;
  }

  /** The processor has the gift: says so to the donor and to the page. */
  thank(outcome: Paid) {
    const { draft, host, answer } = this.#opened;
    const { name, email, frequency, fund } = draft.values;
    const { fund_name, terms } = answer.form;
    const record = this.#records.own;
    const { intent } = record ?? {};
    const made: MadeGift = {
      ...outcome,
      at: Date.now(),
      firstName: firstNameOf(name),
      email: maskEmail(email.trim()),
      often: frequency === 'one_time' ? '' : frequency,
      fund: fund_name ?? terms.fund_choices.find(({ id }) => id === fund)?.name ?? '',
      // A bank may have sent the donor back to a browser that knows nothing of the payment intent.
      code: intent?.payment_intent_id === outcome.reference ? intent.reference : '',
      giftCents: draft.cents ?? outcome.amountCents,
    };
    this.#shared = undefined;
    this.show(made);
    this.#keep(made, record);
    const { amountCents, currency, reference, kind } = outcome;
    const pending = kind === 'processing';
    host.dispatchEvent(new ConnectSuccessEvent(reference, amountCents, currency, pending));
    if (terms.success_url) return exit.to(successUrl(terms.success_url, reference));
    void host.updateComplete.then(() => this.#bringIntoView());
  }

  /** Also after a reload, for as long as the tab makes no other gift. */
  show(made: MadeGift) {
    const { host, draft, answer, show } = this.#opened;
    const texts = wordsOf(draft);
    const { organization, receipts, livemode, campaign_name, terms } = answer.form;
    const { format } = new Intl.DateTimeFormat(draft.language, { dateStyle: 'long' });
    const { often, amountCents, giftCents = amountCents } = made;
    const monthly = often ? undefined : monthlyCents(terms, giftCents);
    const link = linkToShare(this.#opened);
    const thanks: Thanks = {
      texts,
      language: draft.wording.words,
      gift: made,
      amount: draft.money(amountCents),
      date: format(made.at),
      nextDate: often ? format(nextPayment(made.at, often)) : '',
      organization: organization.name,
      campaign: campaign_name ?? '',
      receipts,
      test: livemode ? '' : `${texts.testMode}: ${texts.testModeHint}`,
      monthlyAmount: monthly ? draft.money(monthly) : '',
      link,
      shared: this.#shared,
    };
    const frame = host.renderRoot.querySelector<HTMLElement>('.frame')!;
    const actions = {
      ...this.#actions,
      print: () => printThanks(thanks, getComputedStyle(frame).direction),
      share: () => void this.#share(made, link!),
    };
    const ended = { status: 'done', busy: '', step: '', spoken: '', notice: undefined } as const;
    show({ ...ended, problems: {}, thanks: renderThanks(thanks, actions) });
    // The thank-you is as tall as it is: the height of the form was kept for the form alone.
    frame.style.removeProperty('min-block-size');
  }

  /** The form was taller: its last button may be far below what has taken its place, or above. */
  #bringIntoView() {
    const { renderRoot } = this.#opened.host;
    renderRoot.querySelector<HTMLElement>('#title')?.focus({ preventScroll: true });
    const frame = renderRoot.querySelector('.frame')!;
    const { top } = frame.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) frame.scrollIntoView();
  }

  async #share(made: MadeGift, link: string) {
    this.#shared = await shareLink(link, this.#opened.answer.form.organization.name);
    if (!this.#shared || this.#opened.face.status !== 'done') return;
    this.show(made);
    if (this.#shared === 'shown') return focusIn(this.#opened, '#link');
    this.#opened.show({ spoken: wordsOf(this.#opened.draft).linkCopied });
  }

  /** From here on a reload thanks again; what the donor typed is forgotten. */
  #keep(paid: MadeGift, record: GiftRecord | undefined) {
    const { key = '', gift = { amount_cents: paid.amountCents } } = record ?? {};
    const { amount_cents } = gift;
    this.#records.own = { key, gift: { amount_cents }, paid };
  }
}

/** The form's own page for the moment after; it is told which gift it was. */
function successUrl(address: string, reference: string): string {
  const url = new URL(address);
  url.searchParams.set('payment_intent', reference);
  return url.href;
}
