import type { ReactiveController } from 'lit';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../donation-events.ts';
import { CardFields } from './card-fields.ts';
import { CardPreloader } from './card-preload.ts';
import { CardLoadingView, SLOW_MS } from './card-loading-view.ts';
import { toDonationInput, findProblems, readAmount, readHoneypot } from './validate-donation.ts';
import type { Problems } from './donation-draft.ts';
import { createVisibleWait } from './visible-wait.ts';
import { DeferredTranslations } from './deferred-translations.ts';
import { focusAfterRender, ProblemSummary } from './problem-summary.ts';
import { findReturnSecret, cleanReturnUrl } from './redirect-return.ts';
import { donationFlowStyles } from './donation-flow.styles.ts';
import { interpolate } from './interpolate.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import { failureMessage, outcomeMessage, textsOf } from './messages/donation-flow.ts';
import { renderFocusedInfo, renderInfoBanner, honeypot } from './banner-view.ts';
import { renderErrorBanner } from './form-view.ts';
import type { FormContext } from './form-context.ts';
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
  /** The latest piece of information that is no problem. */
  #infoBanner: { banner: ReturnType<typeof renderInfoBanner>; announcement: string } | undefined;
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
    this.#cardLoadingView = new CardLoadingView(context, {
      retry: this.#retryCard,
      persistentAnnouncement: () =>
        (context.viewState.banner === this.#infoBanner?.banner && this.#infoBanner?.announcement) ||
        '',
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
    this.#problemSummary = new ProblemSummary(
      context,
      this.#cardFields,
      () => void this.#goToCardFields(),
    );
    this.#storedDraft = new StoredDraft(context.session.server, context.name);
    this.#wait = createVisibleWait(context);
    context.setViewState({ honeypot });
    warnInvalidAttributes(host);
    host.addController(this);
    this.#cardPreloader = new CardPreloader(context, () => this.act());
    this.#deferredTranslations = new DeferredTranslations(context);
    this.#reconnection = new Reconnection(context, this.#payment, {
      retryCard: () => this.#cardFields.status === 'blocked' && this.#loadCard(),
      announce: (text) => this.#announce(text),
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
    for (const part of [
      this,
      this.#cardPreloader,
      this.#deferredTranslations,
      this.#reconnection,
    ]) {
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
    else if (record?.values) this.#announce(this.#texts.resumed);
  }

  /** The first act of a donor fetches the processor's script; nothing does before, unless asked to. */
  act() {
    if (this.#context.viewState.status === 'ready' && this.#cardFields.status === 'idle')
      this.#loadCard();
  }

  /** Pressed where the fields will be: the focus goes to them, or to why they cannot be had. */
  async pressCard() {
    this.act();
    const drawn = await this.#cardFields.whenReady();
    const { activeElement } = this.#context.host.shadowRoot!;
    if (activeElement?.matches('input, select, textarea')) return; // The donor went on there.
    this.#focusCard(drawn);
  }

  /** From the list of what is missing. */
  async #goToCardFields() {
    this.act();
    this.#focusCard(await this.#cardFields.whenReady());
  }

  #focusCard(drawn: boolean) {
    if (drawn) this.#cardFields.focus();
    else focusAfterRender(this.#context, '.blocked');
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
    this.#cardFields.update(this.#amount);
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
    if (
      !this.#canSubmit(
        Object.keys(findProblems(draft)).length ? this.#problemSummary.currentProblems : {},
      )
    )
      return;
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
        onWait: () =>
          setViewState({
            banner: renderInfoBanner(this.#texts.elsewhere),
            announcement: this.#texts.elsewhere,
          }),
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
      this.#showBanner(this.#problemSummary.renderSummary(this.#context.viewState.problems));
      return false;
    }
    if (!navigator.onLine) {
      this.#showBanner(renderErrorBanner(this.#texts.stillOffline));
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
    this.#showBanner(renderFocusedInfo(text));
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
    this.#showBanner(typeof content === 'string' ? renderErrorBanner(content) : content);
    host.dispatchEvent(new ConnectErrorEvent(error, code));
  }

  /** Before anything is said of a press of Give. */
  #prepareResult() {
    clearTimeout(this.#slowTimer);
    this.#deferredTranslations.apply();
    this.hostUpdate();
  }

  #showBanner(banner: unknown) {
    this.#context.setViewState({
      banner: banner as ReturnType<typeof renderInfoBanner>,
      announcement: '',
    });
    focusAfterRender(this.#context, '#notice');
  }

  /** Told by the screen and, once, by voice; the focus stays where it is. */
  #announce(text: string) {
    this.#infoBanner = { banner: renderInfoBanner(text), announcement: text };
    this.#context.setViewState(this.#infoBanner);
  }

  get #texts() {
    return textsOf(this.#context.draft);
  }

  get #amount() {
    const { totalCents, values } = this.#context.draft;
    return { amountCents: totalCents, frequency: values.frequency };
  }

  readonly #loadCard = () => this.#cardFields.load(this.#amount);

  readonly #retryCard = () => (this.#loadCard(), this.pressCard());

  readonly #cardCompleted = () => {
    if (this.#context.viewState.problems.card) this.#problemSummary.update();
  };
}

const READY_STATE = {
  status: 'ready',
  buttonStatus: '',
  progress: '',
  announcement: '',
  banner: undefined,
} as const;
