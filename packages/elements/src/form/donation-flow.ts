import type { ReactiveController } from 'lit';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../donation-events.ts';
import { CardFields } from './card-fields.ts';
import { CardPreloader } from './card-preload.ts';
import { CardLoadingView, SLOW_MS } from './card-loading-view.ts';
import { toDonationInput, findProblems, readAmount, readHoneypot } from './validate-donation.ts';
import type { Problems } from './donation-draft.ts';
import { createVisibleWait } from './visible-wait.ts';
import { CardAccess } from './card-access.ts';
import { DefaultChanges } from './default-changes.ts';
import { DeferredTranslations } from './deferred-translations.ts';
import { focusAfterRender, ProblemSummary } from './problem-summary.ts';
import { findReturnSecret, cleanReturnUrl } from './redirect-return.ts';
import { donationFlowStyles } from './donation-flow.styles.ts';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { DonateMessages } from '../shared/message-types.ts';
import { failureMessage, outcomeMessage, messagesOf } from './form-messages.ts';
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
 * Handles a form after it is drawn: the donor's input, the payment and its result.
 *
 * A separate chunk, which the element loads after the form is drawn, so that drawing does not wait
 * for it.
 */
export class DonationFlow implements ReactiveController {
  readonly #context: FormContext;
  readonly #cardFields: CardFields;
  readonly #cardAccess: CardAccess;
  readonly #banner: MessageBanner;
  readonly #wallet: Wallet;
  readonly #cardLoadingView: CardLoadingView;
  readonly #deferredTranslations: DeferredTranslations;
  /** The parts that listen to the element or the page until the form is closed. */
  readonly #controllers: ReactiveController[];
  readonly #payment: Payment;
  readonly #thankYou: ThankYou;
  readonly #problemSummary: ProblemSummary;
  readonly #storedDraft: StoredDraft;
  readonly #wait: WaitForRetry;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the donor's attempts, so that the result of an earlier attempt is ignored. */
  #attemptCount = 0;
  /** The messages that the form currently shows. */
  #shownMessages: DonateMessages;

  constructor(context: FormContext) {
    this.#context = context;
    const { host, slot, formSession } = context;
    this.#shownMessages = context.draft.messages;
    const sheets = host.shadowRoot!.adoptedStyleSheets;
    const sheet = donationFlowStyles.styleSheet!;
    if (!sheets.includes(sheet)) sheets.push(sheet);
    const language = () => context.draft.formLanguage.code;
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
    host.addController(this);
    this.#deferredTranslations = new DeferredTranslations(context);
    const reconnection = new Reconnection(context, this.#payment, {
      retryCard: () => this.#cardFields.status === 'blocked' && this.#cardAccess.load(),
      announce: (text) => this.#banner.announce(text),
      applyOutcome: (outcome) => this.#applyOutcome(outcome),
      startAttempt: () => ++this.#attemptCount,
      isLatest: (attempt) => attempt === this.#attemptCount,
    });
    this.#controllers = [
      this,
      new CardPreloader(context, () => this.interact()),
      new DefaultChanges(context, () => this.change(true)),
      this.#deferredTranslations,
      reconnection,
    ];
  }

  hostDisconnected() {
    this.#cardLoadingView.stop();
  }

  /**
   * When the messages change (another language, or the `messages` property), shows the current ones
   * again.
   */
  hostUpdate() {
    warnInvalidAttributes(this.#context.host);
    const { messages } = this.#context.draft;
    if (messages === this.#shownMessages) return;
    this.#shownMessages = messages;
    this.#cardFields.translate();
    const { viewState, setViewState } = this.#context;
    if (this.#cardFields.status === 'blocked') this.#cardLoadingView.show('blocked');
    const { paid } = this.#payment.storage.ownAttempt ?? {};
    if (viewState.status === 'done' && paid) this.#thankYou.show(paid);
    if (Object.keys(viewState.problems).length) this.#problemSummary.update();
    else if (viewState.status !== 'submitting') setViewState({ banner: undefined });
  }

  /** Removes all listeners. Called when the element opens another form. */
  close() {
    const { host } = this.#context;
    for (const controller of this.#controllers) {
      host.removeController(controller);
      controller.hostDisconnected?.();
    }
    this.#cardFields.remove();
  }

  /**
   * Called before the form is drawn: prefills it from the URL, restores stored input and looks up
   * an earlier payment.
   */
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
    else if (record?.values) this.#banner.announce(this.#messages.resumed);
  }

  /** Handles the donor's first interaction, which loads Stripe's script. */
  interact() {
    this.#cardAccess.loadOnce();
  }

  /** Handles a click on the placeholder of the card fields. */
  focusCard() {
    return this.#cardAccess.focusUnlessTyping();
  }

  /** Handles a change of any field. Only the donor's input is stored. */
  change(isByPage = false) {
    const { draft, host } = this.#context;
    // The wallet buttons are below the chosen radio button, so only content after it moves, as a
    // response to the input.
    if (host.shadowRoot!.activeElement?.matches('[type=radio], #fund')) this.#wallet.show();
    draft.typedCents = readAmount(draft).cents;
    if (!isByPage) this.#storedDraft.save(draft.values);
    this.#problemSummary.update();
    this.#cardFields.update(this.#cardAccess.amount);
    const isComplete = Object.keys(findProblems(draft)).length === 0;
    const change = { amountCents: draft.totalCents, currency: draft.form.currency };
    host.dispatchEvent(new ConnectChangeEvent(change, isComplete));
  }

  /**
   * Submits the donation when the donor presses Give.
   *
   * 1. The server (BFF) creates a payment intent: `server/routes/payment-intents.ts`.
   * 2. Stripe confirms it with the card data from its own iframe: `form/card-fields.ts`.
   * 3. The API records the donation when Stripe's webhook event arrives, never because the browser
   *   reports success: `packages/api/src/payments/stripe-events/route.ts`.
   */
  async submit() {
    const { draft, viewState } = this.#context;
    if (viewState.status !== 'ready') return; // A second press must not charge twice.
    this.interact();
    draft.typedCents = readAmount(draft).cents;
    // If only the card is incomplete, Stripe's own fields show the problem: `CardFields.submit`.
    const hasProblems = Object.keys(findProblems(draft)).length > 0;
    if (!this.#canSubmit(hasProblems ? this.#problemSummary.currentProblems : {})) return;
    if (this.#cardFields.status !== 'ready') return this.#waitForCardFields();
    await this.#submitPayment();
  }

  /**
   * Checks whether a wallet's sheet may open. Only the amount must be valid, because the wallet
   * provides name and email.
   */
  #canOpenWallet(): boolean {
    const { draft, viewState } = this.#context;
    draft.typedCents = readAmount(draft).cents;
    const { amount } = readAmount(draft);
    return viewState.status === 'ready' && this.#canSubmit(amount ? { amount } : {});
  }

  /** Submits the donation by card or wallet; true if the payment succeeded or is processing. */
  async #submitPayment(): Promise<boolean> {
    const { draft, viewState, host, setViewState, signal } = this.#context;
    const problems = findProblems(draft);
    if (viewState.status !== 'ready') return false;
    if (Object.keys(problems).length) return this.#canSubmit(problems);
    const { giving, connecting, pleaseWait } = this.#messages;
    setViewState({
      status: 'submitting',
      buttonStatus: interpolate(giving, { amount: draft.formatMoney(draft.totalCents ?? 0) }),
      progress: connecting,
      announcement: pleaseWait,
      banner: undefined,
    });
    this.#slowTimer = setTimeout(() => {
      const { stillWorking } = this.#messages;
      if (this.#context.viewState.progress === connecting)
        setViewState({ progress: stillWorking, announcement: stillWorking });
    }, SLOW_MS);
    const attempt = ++this.#attemptCount;
    try {
      const outcome = await this.#payment.pay({
        donation: { ...toDonationInput(draft), ...readHoneypot(host) },
        values: { ...draft.values },
        wait: this.#wait,
        onConfirm: () => setViewState({ progress: this.#messages.pleaseWait }),
        onWait: () => this.#banner.announce(this.#messages.elsewhere),
      });
      if (attempt === this.#attemptCount) this.#applyOutcome(outcome);
      return 'reference' in outcome;
    } catch (error) {
      if (attempt === this.#attemptCount && !signal.aborted) this.#handleError(error);
      return false;
    }
  }

  /** Waits for the card fields, without which nothing can be paid. The form stays usable meanwhile. */
  async #waitForCardFields() {
    const { waitingForCard } = this.#messages;
    this.#context.setViewState({
      buttonStatus: waitingForCard,
      announcement: waitingForCard,
      banner: undefined,
    });
    await this.#cardFields.whenReady();
    // A later press has already been handled.
    if (this.#context.viewState.buttonStatus !== waitingForCard) return;
    this.#applyOutcome({ kind: 'incomplete' });
  }

  /**
   * Final check before an intent is created. Shows problems, and lets the page cancel the donation
   * with an event.
   */
  #canSubmit(problems: Problems): boolean {
    const { draft, host, setViewState } = this.#context;
    setViewState({ problems, buttonStatus: '', announcement: '' });
    if (Object.keys(problems).length) {
      this.#prepareResult();
      this.#banner.show(this.#problemSummary.renderSummary(this.#context.viewState.problems));
      return false;
    }
    if (!navigator.onLine) {
      this.#banner.show(this.#messages.stillOffline);
      return false;
    }
    const { currency } = draft.form;
    return host.dispatchEvent(new ConnectConfirmEvent(draft.totalCents ?? 0, currency));
  }

  /** Shows the outcome that Stripe reports. */
  #applyOutcome(outcome: Outcome) {
    this.#prepareResult();
    if ('reference' in outcome) {
      this.#cardFields.clear();
      this.#storedDraft.clear();
      return this.#thankYou.complete(outcome);
    }
    const text = outcomeMessage(outcome, this.#messages, (cents) =>
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
    if (blocked) return focusAfterRender(this.#context, '.blocked'); // The card error explains what to do.
    // Focusable only after the render, because the fields were inert.
    void this.#context.host.updateComplete.then(() => this.#cardFields.focus());
  }

  /** Shows the form for another donation, with an empty card and a new idempotency key. */
  #startOver() {
    this.#payment.storage.ownAttempt = undefined;
    this.#context.setViewState({ ...READY_STATE, thankYou: undefined });
    focusAfterRender(this.#context, 'input');
  }

  /**
   * Fills in the form as a monthly donation with the same values. Nothing is charged before the
   * donor presses Give; the form states that the first payment is made then.
   */
  #startMonthly() {
    const text = fillMonthlyDraft(this.#context.draft, this.#payment.storage.ownAttempt!.paid!);
    this.#startOver();
    this.change();
    this.#banner.show(renderFocusedInfo(text));
  }

  /** Handles an error before the payment was confirmed. Nothing has been charged. */
  #handleError(error: unknown) {
    this.#prepareResult();
    const { text, field } = failureMessage(error, this.#messages);
    const problems = field ? { [field]: text } : {};
    this.#context.setViewState({ problems });
    this.#showFailure(field ? this.#problemSummary.renderSummary(problems) : text, error);
  }

  #showFailure(content: unknown, error?: unknown, code = '') {
    const { host, setViewState } = this.#context;
    setViewState(READY_STATE); // The donor's input is kept.
    // Canceling a CAPTCHA is not an error, so it is not logged.
    const wasCancelled = (error as Error | undefined)?.name === 'AbortError';
    if (error && !wasCancelled) console.error('<connect-donate>', error);
    this.#banner.show(content);
    host.dispatchEvent(new ConnectErrorEvent(error, code));
  }

  /** Called before the result of a submission is shown. */
  #prepareResult() {
    clearTimeout(this.#slowTimer);
    this.#deferredTranslations.apply();
    this.hostUpdate();
  }

  get #messages() {
    return messagesOf(this.#context.draft);
  }

  readonly #retryCard = () => (void this.#cardAccess.load(), this.focusCard());

  readonly #cardCompleted = () => {
    if (this.#context.viewState.problems.card) this.#problemSummary.update();
  };
}
