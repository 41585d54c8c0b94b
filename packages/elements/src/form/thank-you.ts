import type { Frequency } from '@connect-embed/contract';
import { DEBIT_BUSINESS_DAYS, isDebit } from '@connect-embed/contract/payment-method';
import { ConnectSuccessEvent } from '../donation-events.ts';
import type { StoredAttempt, PaymentStorage } from './payment-storage.ts';
import { NO_MESSAGE, type MessageBanner } from './message-banner.ts';
import { findTimeZone } from '../shared/time-zone.ts';
import type { FlowContext } from './flow-context.ts';
import type { CompletedPayment, Paid } from './payment-outcome.ts';
import { linkToShare, shareLink } from './share.ts';
import { focusAfterRender } from './problem-summary.ts';
import { printThankYou } from './thank-you-print.ts';
import { renderThankYou, type ThankYouContent, type ThankYouActions } from './thank-you-view.ts';

/** Navigates the top-level page, also from inside a frame. Tests replace it. */
export const navigation = {
  to: (url: string) => (self === top ? location.assign(url) : void open(url, '_top')),
};

/** Words that are not used as a first name, like every abbreviation. */
const TITLES = new Set([
  ...['the', 'dr', 'mr', 'mrs', 'ms', 'mx', 'prof', 'sir'],
  ...['frau', 'herr', 'familie', 'famille', 'familia', 'mme', 'sr', 'sra'],
]);

/** The donor's first name for the greeting; empty if it cannot be determined. */
function findFirstName(name: string): string {
  const [first = ''] = name.trim().split(/\s+/);
  return first.endsWith('.') || TITLES.has(first.toLowerCase()) ? '' : first;
}

/**
 * Masks an email address so that its owner recognizes it, but nobody else can use it:
 * `m•••@example.org`.
 */
const maskEmail = (email: string): string => email.replace(/^([^@])[^@]*(?=@)/u, '$1•••');

/** How long the thank-you page stays for somebody who opens the page anew, maybe another person at the computer. */
const THANKS_MS = 15 * 60_000;

/** Whether the page was reloaded, or opened with Back or Forward. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  const { type } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>;
  return type === 'reload' || type === 'back_forward';
}

/** Shows the thank-you page and handles its buttons. */
export class ThankYou {
  readonly #context: FlowContext;
  readonly #storage: PaymentStorage;
  readonly #banner: MessageBanner;
  readonly #actions: Pick<ThankYouActions, 'again'>;
  #shareResult: ThankYouContent['shareResult'];
  /** Whether the logo cannot be loaded, such as where the page's Content-Security-Policy forbids it. */
  #isLogoBroken = false;

  constructor(
    context: FlowContext,
    storage: PaymentStorage,
    banner: MessageBanner,
    actions: Pick<ThankYouActions, 'again'>,
  ) {
    this.#context = context;
    this.#storage = storage;
    this.#banner = banner;
    this.#actions = actions;
  }

  /** Shows the thank-you page after a successful payment, and dispatches `connect-success`. */
  complete(outcome: Paid) {
    const { draft, host } = this.#context;
    const { name, email, frequency, fund } = draft.values;
    const { fund_name, terms } = draft.form;
    const record = this.#storage.ownAttempt;
    // After a bank redirect the stored attempt may be missing or belong to another intent.
    const own = record?.intent?.payment_intent_id === outcome.reference ? record : undefined;
    const feeCents = own?.donation.fee_cover_cents ?? 0;
    const completed: CompletedPayment = {
      ...outcome,
      firstName: findFirstName(name),
      email: email.trim(),
      recurringFrequency: frequency === 'one_time' ? '' : frequency,
      fund: fund_name ?? terms.fund_choices.find(({ id }) => id === fund)?.name ?? '',
      code: own?.intent?.reference ?? '',
      feeCents,
      impact: (own && draft.impactTexts[outcome.amountCents - feeCents]) ?? '',
      dedication: own?.donation.metadata?.['dedication'] ?? '',
    };
    this.#shareResult = undefined;
    this.#show(completed);
    this.#saveCompleted({ ...completed, email: maskEmail(completed.email) }, record);
    const { amountCents, currency, reference, kind } = outcome;
    const pending = kind === 'processing';
    host.dispatchEvent(new ConnectSuccessEvent(reference, amountCents, currency, pending));
    if (terms.success_url) return navigation.to(successUrl(terms.success_url, reference));
    void host.updateComplete.then(() => this.#scrollIntoView());
  }

  /**
   * Shows the thank-you page of an earlier donation to the donor who reloads the page or comes back to it, or soon
   * after. Anybody else gets the form, with thanks in one line.
   *
   * @param thankedAt when it was first shown, in milliseconds
   */
  showAgain(payment: CompletedPayment, thankedAt = 0) {
    if (isReturn() || Date.now() - thankedAt < THANKS_MS) return this.#show(payment);
    this.#storage.ownAttempt = undefined;
    this.#banner.announce(this.#context.language.messages.thanksBefore);
  }

  #show(payment: CompletedPayment) {
    this.#context.dispatch({ type: 'succeeded', payment });
    this.update();
  }

  /** Renders the thank-you page again, such as in another language. */
  update() {
    const { draft, language, viewState, setViewState } = this.#context;
    const { state } = viewState;
    if (state.status !== 'succeeded') return;
    const { payment } = state;
    const { messages } = language;
    const { organization, receipts, livemode, campaign_name } = draft.form;
    // The day in the organization's time zone, as on the receipt.
    const timeZone = findTimeZone(organization.time_zone);
    const { format } = new Intl.DateTimeFormat(draft.language, { dateStyle: 'long', timeZone });
    const { recurringFrequency, amountCents, feeCents } = payment;
    const link = linkToShare(this.#context);
    const thanks: ThankYouContent = {
      messages,
      language: language.code,
      payment,
      amount: draft.formatMoney(amountCents),
      amountWithoutFee: draft.formatMoney(amountCents - (feeCents ?? 0)),
      fee: feeCents ? draft.formatMoney(feeCents) : '',
      date: format(payment.at),
      nextDate: recurringFrequency ? format(nextPayment(payment.at, recurringFrequency)) : '',
      organization: organization.name,
      logo: this.#isLogoBroken ? '' : (organization.logo_url ?? ''),
      contact: organization.contact_email ?? '',
      campaign: campaign_name ?? '',
      receipts,
      daysToArrive: payment.kind === 'processing' ? this.#daysToArrive : '',
      testNotice: livemode ? '' : `${messages.testMode}: ${messages.testModeHint}`,
      link,
      shareResult: this.#shareResult,
    };
    const actions = {
      ...this.#actions,
      logoFailed: () => {
        this.#isLogoBroken = true;
        this.update();
      },
      print: () => printThankYou(thanks, getComputedStyle(this.#frame!).direction),
      share: () => void this.#share(link!),
    };
    setViewState({ ...NO_MESSAGE, problems: {}, thankYou: renderThankYou(thanks, actions) });
    // The locked height was for the form only.
    this.#context.releaseHeight();
  }

  /**
   * The number of business days until the money of a bank debit arrives. A form offers at most one kind of bank debit,
   * because each is for one currency.
   */
  get #daysToArrive(): string {
    const { draft } = this.#context;
    const debit = draft.form.payment_method_types?.find(isDebit);
    return debit ? DEBIT_BUSINESS_DAYS[debit].toLocaleString(draft.language) : '';
  }

  /** The box around every view of the element; null before the element is first drawn. */
  get #frame() {
    return this.#context.host.renderRoot.querySelector<HTMLElement>('.frame');
  }

  /** Scrolls to the thank-you page: it is shorter than the form, so it may be outside the viewport. */
  #scrollIntoView() {
    const { renderRoot } = this.#context.host;
    renderRoot.querySelector<HTMLElement>('#title')?.focus({ preventScroll: true });
    const { top } = this.#frame!.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) this.#frame!.scrollIntoView();
  }

  async #share(link: string) {
    this.#shareResult = await shareLink(link, this.#context.draft.form.organization.name);
    if (!this.#shareResult || this.#context.viewState.state.status !== 'succeeded') return;
    this.update();
    if (this.#shareResult === 'shown') return focusAfterRender(this.#context, '#link');
    this.#context.setViewState({ announcement: this.#context.language.messages.linkCopied });
  }

  /** Stores the result, so that a reload shows the thank-you page again, and deletes the donor's input. */
  #saveCompleted(paid: CompletedPayment, record: StoredAttempt | undefined) {
    const { key = '', donation = { amount_cents: paid.amountCents } } = record ?? {};
    const { amount_cents } = donation;
    this.#storage.ownAttempt = { key, donation: { amount_cents }, paid, thankedAt: Date.now() };
  }
}

/** The form's `success_url` with the payment intent's id as a query parameter. */
function successUrl(address: string, reference: string): string {
  const url = new URL(address);
  url.searchParams.set('payment_intent', reference);
  return url.href;
}

/** Months from one payment to the next. */
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;

/**
 * When the next payment of a recurring donation is due, as Stripe counts: at the same moment in UTC,
 * on the month's last day where the month has no such day.
 */
export function nextPayment(at: number, frequency: Exclude<Frequency, 'one_time'>): Date {
  const next = new Date(at);
  const day = next.getUTCDate();
  next.setUTCMonth(next.getUTCMonth() + MONTHS[frequency]);
  if (next.getUTCDate() !== day) next.setUTCDate(0);
  return next;
}
