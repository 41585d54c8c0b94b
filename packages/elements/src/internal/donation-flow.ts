import type { ReactiveController } from 'lit';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../donation-events.ts';
import { CardFields } from './card-fields.ts';
import { CardPreloader } from './card-preload.ts';
import { CardLoadingView, SLOW_MS } from './card-loading-view.ts';
import { toDonationInput, findProblems, readAmount, readHoneypot } from './validate-donation.ts';
import type { Problems } from './donation-draft.ts';
import { createVisibleWait } from './visible-wait.ts';
import { CardAccess } from './card-access.ts';
import { DeferredTranslations } from './deferred-translations.ts';
import { focusAfterRender, ProblemSummary } from './problem-summary.ts';
import { findReturnSecret, cleanReturnUrl } from './redirect-return.ts';
import { donationFlowStyles } from './donation-flow.styles.ts';
import { interpolate } from './interpolate.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import { failureMessage, outcomeMessage, textsOf } from './messages/donation-flow.ts';
import { renderFocusedInfo, honeypot } from './banner-view.ts';
import { renderErrorBanner } from './form-view.ts';
import type { FormContext } from './form-context.ts';
import { MessageBanner, READY_STATE } from './message-banner.ts';
import type { Outcome } from './payment-outcome.ts';
import { warnInvalidAttributes } from './warn-invalid-attributes.ts';
import { fillMonthlyDraft } from './monthly-offer.ts';
import { Payment } from './payment.ts';
import { Reconnection } from './reconnection.ts';
import type { WaitForRetry } from './embed-session.ts';
import { Wallet } from './wallet.ts';
import { StoredDraft } from './stored-draft.ts';
import { ThankYou } from './thank-you.ts';
import { prefillFromUrl } from './url-prefill.ts';

/**
 * Everything that comes after the form is drawn: what a donor does, and what becomes of it.
 *
 * A file of its own that the form fetches once it is drawn, so that drawing does not wait for it.
 */
export class DonationFlow implements ReactiveController {
  readonly #context: FormContext;
  readonly #cardFields: CardFields;
  readonly #cardAccess: CardAccess;
  readonly #banner: MessageBanner;
  readonly #wallet: Wallet;
  readonly #cardLoadingView: CardLoadingView;
  readonly #cardPreloader: CardPreloader;
  readonly #deferredTranslations: DeferredTranslations;
  readonly #reconnection: Reconnection;
  readonly #payment: Payment;
  readonly #thankYou: ThankYou;
  readonly #problemSummary: ProblemSummary;
  readonly #storedDraft: StoredDraft;
  readonly #wait: WaitForRetry;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the tries of this page, so that a late answer knows that it is late. */
  #attemptCount = 0;
  /** The words in which it is said. */
  #shownTexts: DonateTexts;

  constructor(context: FormContext) {
    this.#context = context;
    const { host, slot, formSession } = context;
    this.#shownTexts = context.draft.texts;
    const sheets = host.shadowRoot!.adoptedStyleSheets;
    const sheet = donationFlowStyles.styleSheet!;
    if (!sheets.includes(sheet)) sheets.push(sheet);
    const language = () => context.draft.formLanguage.words;
    this.#banner = new MessageBanner(context);
    this.#cardLoadingView = new CardLoadingView(context, {
      retry: this.#retryCard,
      persistentAnnouncement: () => this.#banner.persistentAnnouncement,
    });
    this.#cardFields = new CardFields(
      {
        host,
        slot,
        statusChanged: this.#cardLoadingView.show,
        completeChanged: this.#cardCompleted,
        language,
      },
      formSession.form,
    );
    this.#cardAccess = new CardAccess(context, this.#cardFields);
    this.#wallet = this.#cardFields.wallet = new Wallet(context, {
      canOpen: () => this.#canOpenWallet(),
      whenUpdated: () => this.#cardFields.whenUpdated(),
      pay: () => this.#submitPayment(),
    });
    this.#payment = new Payment(context, this.#cardFields);
    this.#thankYou = new ThankYou(context, this.#payment.storage, {
      again: () => this.#startOver(),
      monthly: () => this.#startMonthly(),
    });
    const focusCard = () => void this.#cardAccess.focus();
    this.#problemSummary = new ProblemSummary(context, this.#cardFields, focusCard);
    this.#storedDraft = new StoredDraft(context.session.server, context.name);
    this.#wait = createVisibleWait(context);
    context.setViewState({ honeypot });
    warnInvalidAttributes(host);
    host.addController(this);
    this.#cardPreloader = new CardPreloader(context, () => this.act());
    this.#deferredTranslations = new DeferredTranslations(context);
    this.#reconnection = new Reconnection(context, this.#payment, {
      retryCard: () => this.#cardFields.status === 'blocked' && this.#cardAccess.load(),
      announce: (text) => this.#banner.announce(text),
      applyOutcome: (outcome) => this.#applyOutcome(outcome),
      startAttempt: () => ++this.#attemptCount,
      isLatest: (round) => round === this.#attemptCount,
    });
  }

  hostDisconnected() {
    this.#cardLoadingView.stop();
  }

  /** The words are others now: says again what is said. */
  hostUpdate() {
    const { texts } = this.#context.draft;
    if (texts === this.#shownTexts) return;
    this.#shownTexts = texts;
    this.#cardFields.translate();
    const { viewState, setViewState } = this.#context;
    if (this.#cardFields.status === 'blocked') this.#cardLoadingView.show('blocked');
    const { paid } = this.#payment.storage.ownAttempt ?? {};
    if (viewState.status === 'done' && paid) this.#thankYou.show(paid);
    if (Object.keys(viewState.problems).length) this.#problemSummary.update();
    else if (viewState.status !== 'giving') setViewState({ banner: undefined });
  }

  /** Another form takes this one's place. */
  close() {
    const { host } = this.#context;
    const parts = [this, this.#cardPreloader, this.#deferredTranslations, this.#reconnection];
    for (const part of parts) {
      host.removeController(part);
      part.hostDisconnected();
    }
    this.#cardFields.remove();
  }

  /** Before the form is drawn: what the address says, and what became of an earlier gift. */
  async resume() {
    const { draft, name } = this.#context;
    const parameters = new URLSearchParams(location.search);
    prefillFromUrl(draft, parameters);
    const secret = findReturnSecret(name);
    const record = this.#payment.storage.ownAttempt;
    this.#storedDraft.restore(draft);
    if (record?.values) draft.update(record.values);
    draft.typedCents = readAmount(draft).cents;
    if (record?.paid && !secret) return this.#thankYou.show(record.paid);
    const outcome = record && !record.paid ? await this.#payment.resume(record) : undefined;
    const isOtherReturn = secret && secret !== record?.intent?.client_secret;
    const latest = isOtherReturn ? await this.#payment.retrieveOutcome(secret) : outcome;
    if (secret && latest?.kind !== 'unknown') cleanReturnUrl();
    if (latest) this.#applyOutcome(latest);
    else if (record?.values) this.#banner.announce(this.#texts.resumed);
  }

  /** The donor's first input loads the processor's script. */
  act() {
    this.#cardAccess.loadOnce();
  }

  /** The donor pressed where the card's fields will be. */
  pressCard() {
    return this.#cardAccess.focusUnlessTyping();
  }

  /** The donor chose or typed something. */
  changed() {
    const { draft, host } = this.#context;
    // Below what the donor is choosing: nothing above it moves, and the move answers an input.
    if (host.shadowRoot!.activeElement?.matches('[type=radio], #fund')) this.#wallet.show();
    draft.typedCents = readAmount(draft).cents;
    this.#storedDraft.save(draft.values);
    const found = findProblems(draft);
    this.#problemSummary.update();
    this.#cardFields.update(this.#cardAccess.amount);
    const { currency } = draft.form;
    const change = { amountCents: draft.totalCents, currency };
    host.dispatchEvent(new ConnectChangeEvent(change, Object.keys(found).length === 0));
  }

  /**
   * What happens when the donor presses Give.
   *
   * 1. The server makes a payment intent: `server/routes/payment-intents.ts`.
   * 2. The processor takes the card in its own frame: `internal/card-fields.ts`.
   * 3. The donation is recorded only when the processor reports it to
   *    `packages/api/src/routes/processor-events.ts`, never on our word.
   */
  async give() {
    const { draft, viewState } = this.#context;
    if (viewState.status !== 'ready') return; // A second press must not charge twice.
    this.act();
    draft.typedCents = readAmount(draft).cents;
    // A card alone that lacks something is told by the processor's own fields: `Card.submit`.
    const hasProblems = Object.keys(findProblems(draft)).length > 0;
    if (!this.#canSubmit(hasProblems ? this.#problemSummary.currentProblems : {})) return;
    if (this.#cardFields.status !== 'ready') return this.#waitForCardFields();
    await this.#submitPayment();
  }

  /** A wallet brings name and email itself: only the amount must be right before its sheet opens. */
  #canOpenWallet(): boolean {
    const { draft, viewState } = this.#context;
    draft.typedCents = readAmount(draft).cents;
    const { amount } = readAmount(draft);
    return viewState.status === 'ready' && this.#canSubmit(amount ? { amount } : {});
  }

  /** Takes the donation by card or by wallet; true when the processor has taken it. */
  async #submitPayment(): Promise<boolean> {
    const { draft, viewState, host, setViewState, signal } = this.#context;
    const problems = findProblems(draft);
    if (viewState.status !== 'ready') return false;
    if (Object.keys(problems).length) return this.#canSubmit(problems);
    const texts = this.#texts;
    setViewState({
      status: 'giving',
      buttonStatus: interpolate(texts.giving, { amount: draft.formatMoney(draft.totalCents ?? 0) }),
      progress: texts.connecting,
      announcement: texts.pleaseWait,
      banner: undefined,
    });
    this.#slowTimer = setTimeout(() => {
      const { stillWorking } = this.#texts;
      if (this.#context.viewState.progress === texts.connecting)
        setViewState({ progress: stillWorking, announcement: stillWorking });
    }, SLOW_MS);
    const round = ++this.#attemptCount;
    try {
      const outcome = await this.#payment.pay({
        gift: { ...toDonationInput(draft), ...readHoneypot(host) },
        values: { ...draft.values },
        wait: this.#wait,
        onConfirm: () => setViewState({ progress: this.#texts.pleaseWait }),
        onWait: () => this.#banner.announce(this.#texts.elsewhere),
      });
      if (round === this.#attemptCount) this.#applyOutcome(outcome);
      return 'reference' in outcome;
    } catch (error) {
      if (round === this.#attemptCount && !signal.aborted) this.#handleError(error);
      return false;
    }
  }

  /** Nothing can be paid before the card's fields are there: the form stays usable meanwhile. */
  async #waitForCardFields() {
    const { waitingForCard } = this.#texts;
    this.#context.setViewState({
      buttonStatus: waitingForCard,
      announcement: waitingForCard,
      banner: undefined,
    });
    await this.#cardFields.whenReady();
    if (this.#context.viewState.buttonStatus !== waitingForCard) return; // Another press has answered already.
    this.#applyOutcome({ kind: 'incomplete' });
  }

  /** The last look before anything is made; the page has its say, too. */
  #canSubmit(problems: Problems): boolean {
    const { draft, host, setViewState } = this.#context;
    setViewState({ problems, buttonStatus: '', announcement: '' });
    if (Object.keys(problems).length) {
      this.#prepareResult();
      this.#banner.show(this.#problemSummary.renderSummary(this.#context.viewState.problems));
      return false;
    }
    if (!navigator.onLine) {
      this.#banner.show(this.#texts.stillOffline);
      return false;
    }
    const { currency } = draft.form;
    return host.dispatchEvent(new ConnectConfirmEvent(draft.totalCents ?? 0, currency));
  }

  /** Shows what the processor says about the gift. */
  #applyOutcome(outcome: Outcome) {
    this.#prepareResult();
    if ('reference' in outcome) {
      this.#cardFields.clear();
      this.#storedDraft.clear();
      return this.#thankYou.complete(outcome);
    }
    const text = outcomeMessage(outcome, this.#texts, (cents) =>
      this.#context.draft.formatMoney(cents),
    );
    if (outcome.kind !== 'incomplete') {
      const code = 'code' in outcome ? outcome.code : outcome.kind;
      return this.#showFailure(text, undefined, code);
    }
    const blocked = this.#cardFields.status === 'blocked';
    this.#context.setViewState({
      ...READY_STATE,
      banner: blocked ? undefined : renderErrorBanner(text),
    });
    if (blocked) return focusAfterRender(this.#context, '.blocked'); // It says all that can be done.
    void this.#context.host.updateComplete.then(() => this.#cardFields.focus()); // No longer inert.
  }

  /** The next gift starts with an empty card and a new key. */
  #startOver() {
    this.#payment.storage.ownAttempt = undefined;
    this.#context.setViewState({ ...READY_STATE, thankYou: undefined });
    focusAfterRender(this.#context, 'input');
  }

  /**
   * The same gift every month, as a draft: nothing is charged before the donor presses Give. The
   * first payment is made then, and the form says so.
   */
  #startMonthly() {
    const text = fillMonthlyDraft(this.#context.draft, this.#payment.storage.ownAttempt!.paid!);
    this.#startOver();
    this.changed();
    this.#banner.show(renderFocusedInfo(text));
  }

  /** The gift could not be started: nothing has been charged. */
  #handleError(error: unknown) {
    this.#prepareResult();
    const { text, field } = failureMessage(error, this.#texts);
    const problems = field ? { [field]: text } : {};
    this.#context.setViewState({ problems });
    this.#showFailure(field ? this.#problemSummary.renderSummary(problems) : text, error);
  }

  #showFailure(content: unknown, error?: unknown, code = '') {
    const { host, setViewState } = this.#context;
    setViewState(READY_STATE); // What the donor typed stays typed.
    // A donor who goes back from a check has done nothing wrong, and neither has the owner.
    const wasCancelled = (error as Error | undefined)?.name === 'AbortError';
    if (error && !wasCancelled) console.error('<connect-donate>', error);
    this.#banner.show(content);
    host.dispatchEvent(new ConnectErrorEvent(error, code));
  }

  /** Before anything is said of a press of Give. */
  #prepareResult() {
    clearTimeout(this.#slowTimer);
    this.#deferredTranslations.apply();
    this.hostUpdate();
  }

  get #texts() {
    return textsOf(this.#context.draft);
  }

  readonly #retryCard = () => (void this.#cardAccess.load(), this.pressCard());

  readonly #cardCompleted = () => {
    if (this.#context.viewState.problems.card) this.#problemSummary.update();
  };
}
