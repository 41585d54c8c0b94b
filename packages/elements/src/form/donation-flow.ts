import type { ReactiveController } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../donation-events.ts';
import { adoptStyles } from '../shared/adopt-styles.ts';
import type { FormMessages } from '../shared/message-types.ts';
import { reportToDataLayer } from './analytics.ts';
import { renderFocusedInfo, renderLongWait } from './banner-view.ts';
import { PaymentFieldsAccess } from './payment-fields-access.ts';
import { PaymentFields } from './payment-fields.ts';
import { PaymentLoadingView } from './payment-loading-view.ts';
import { PaymentFieldsPreloader } from './payment-fields-preload.ts';
import { continueInput } from './continue-input.ts';
import { DeferredTranslations } from './deferred-translations.ts';
import { detachController } from './detach-controller.ts';
import type { Problems } from './donation-draft.ts';
import { donationFlowStyles } from './donation-flow.styles.ts';
import { EmailSuggestion } from './email-suggestion.ts';
import { toFlowContext, type FlowContext } from './flow-context.ts';
import type { FormContext, Replacement } from './form-context.ts';
import { failureMessage, outcomeMessage } from './form-messages.ts';
import { isEditable } from './form-state.ts';
import { isInEditor } from './is-in-editor.ts';
import { MessageBanner, NO_MESSAGE } from './message-banner.ts';
import { Payment } from './payment.ts';
import type { Outcome } from './payment-outcome.ts';
import { focusAfterRender, ProblemSummary } from './problem-summary.ts';
import { readFields, readTypedAmount } from './read-fields.ts';
import { Reconnection } from './reconnection.ts';
import { cleanReturnUrl, findReturnSecret } from './redirect-return.ts';
import type { WaitForRetry } from './retry-policy.ts';
import { StoredDraft } from './stored-draft.ts';
import { SubmitProgress } from './submit-progress.ts';
import { thankYouStyles } from './thank-you.styles.ts';
import { ThankYou } from './thank-you.ts';
import { prefillFromUrl } from './url-prefill.ts';
import { findProblems, readAmount, readHoneypot, toDonationInput } from './validate-donation.ts';
import { createVisibleWait } from './visible-wait.ts';
import { Wallet } from './wallet.ts';

/**
 * Handles a form after it is drawn: the donor's input, the payment and its result.
 *
 * The element imports this module when the donor first uses the form, so that neither drawing nor a
 * visitor who does not donate waits for it.
 */
export class DonationFlow implements ReactiveController {
  readonly #context: FlowContext;
  readonly #paymentFields: PaymentFields;
  readonly #paymentFieldsAccess: PaymentFieldsAccess;
  readonly #banner: MessageBanner;
  readonly #paymentLoadingView: PaymentLoadingView;
  /** The parts that listen to the element or the page until the form is closed. */
  readonly #controllers: ReactiveController[];
  readonly #payment: Payment;
  readonly #thankYou: ThankYou;
  readonly #problemSummary: ProblemSummary;
  readonly #emailSuggestion: EmailSuggestion;
  readonly #storedDraft: StoredDraft;
  readonly #wait: WaitForRetry;
  readonly #progress: SubmitProgress;
  /** The messages that the form currently shows. */
  #shownMessages: FormMessages;

  constructor(formContext: FormContext) {
    const context = (this.#context = toFlowContext(formContext));
    const { host, slot, draft, language, session } = context;
    this.#shownMessages = language.messages;
    adoptStyles(host, donationFlowStyles, thankYouStyles);
    this.#banner = new MessageBanner(context);
    this.#progress = new SubmitProgress(context);
    this.#paymentLoadingView = new PaymentLoadingView(context, {
      retry: () => (this.#paymentFieldsAccess.load(), void this.focusPayment()),
      persistentAnnouncement: () => this.#banner.persistentAnnouncement,
      totalChanged: () => this.change(),
    });
    this.#paymentFields = new PaymentFields(
      {
        host,
        slot,
        statusChanged: this.#paymentLoadingView.show,
        completeChanged: () => context.viewState.problems.payment && this.#problemSummary.update(),
        methodSelected: this.#paymentLoadingView.showMethod,
        language: () => language.code,
        openSession: () => session.open(),
      },
      draft.form,
    );
    this.#paymentFieldsAccess = new PaymentFieldsAccess(context, this.#paymentFields);
    this.#paymentFields.wallet = new Wallet(context, {
      canOpen: () => this.#canOpenWallet(),
      whenUpdated: () => this.#paymentFields.whenUpdated(),
      pay: () => this.#submitPayment(),
    });
    this.#payment = new Payment(context, this.#paymentFields);
    this.#thankYou = new ThankYou(context, this.#payment.storage, this.#banner, {
      again: () => this.#startOver(),
    });
    const focusPayment = () => void this.#paymentFieldsAccess.focus();
    this.#problemSummary = new ProblemSummary(context, this.#paymentFields, focusPayment);
    this.#emailSuggestion = new EmailSuggestion(context);
    this.#storedDraft = new StoredDraft(context.server, context.name);
    this.#wait = createVisibleWait(context);
    reportToDataLayer(context);
    host.addController(this);
    this.#controllers = [
      this,
      new PaymentFieldsPreloader(context, () => this.interact()),
      new DeferredTranslations(context),
      this.#emailSuggestion,
      new Reconnection(context, this.#payment, {
        retryPaymentFields: () =>
          this.#paymentFields.status === 'blocked' && this.#paymentFieldsAccess.load(),
        announce: (text) => this.#banner.announce(text),
        applyOutcome: (outcome) => this.#applyOutcome(outcome),
      }),
    ];
  }

  hostDisconnected() {
    this.#paymentLoadingView.stop();
  }

  hostUpdate() {
    this.#updateMessages();
  }

  /**
   * When the messages change (another language, or the `messages` property), shows the current ones
   * again.
   */
  #updateMessages() {
    const { messages } = this.#context.language;
    if (messages === this.#shownMessages) return;
    this.#shownMessages = messages;
    this.#context.draft.rewriteTypedAmount();
    this.#paymentFields.translate();
    const { viewState, setViewState } = this.#context;
    this.#paymentLoadingView.translate(this.#paymentFields.status);
    this.#thankYou.update();
    if (viewState.suggestions) this.#emailSuggestion.update();
    if (Object.keys(viewState.problems).length) this.#problemSummary.update();
    else if (viewState.state.status !== 'submitting') setViewState({ banner: undefined });
  }

  /** Removes all listeners. Called when the element opens another form. */
  close() {
    for (const controller of this.#controllers) detachController(this.#context.host, controller);
    this.#paymentFields.remove();
  }

  /**
   * Called before the form is drawn: prefills it from the URL, restores input and looks up an earlier
   * payment.
   *
   * @param replacement what the donor has done in the form that this one replaces
   */
  async resume(replacement?: Replacement) {
    const { draft, name, signal } = this.#context;
    const parameters = new URLSearchParams(location.search);
    prefillFromUrl(draft, parameters);
    const secret = findReturnSecret(name);
    const record = this.#payment.storage.ownAttempt;
    this.#storedDraft.restore(draft);
    if (replacement) {
      continueInput(this.#context, replacement, () => {
        this.#banner.announce(this.#messages.formChanged);
        this.interact();
      });
    }
    if (record?.values) draft.update(record.values);
    readTypedAmount(this.#context);
    if (record?.paid && !secret) return this.#thankYou.showAgain(record.paid, record.thankedAt);
    const outcome = record && !record.paid ? await this.#payment.resume(record) : undefined;
    const isOtherReturn = secret && secret !== record?.intent?.client_secret;
    const latest = isOtherReturn ? await this.#payment.retrieveOutcome(secret) : outcome;
    signal.throwIfAborted(); // The session has shown meanwhile that the form is out of date.
    if (secret && latest?.kind !== 'unknown') cleanReturnUrl();
    if (latest) this.#applyOutcome(latest);
    else if (record?.values) this.#banner.announce(this.#messages.resumed);
  }

  /** Handles the donor's first interaction, which loads Stripe's script. */
  interact() {
    this.#paymentFieldsAccess.loadOnce();
  }

  /** Handles a click on the placeholder of the payment fields. */
  focusPayment() {
    return this.#paymentFieldsAccess.focusUnlessTyping();
  }

  /** Handles a change of the donation by the donor or the page. */
  change() {
    const { draft, host, viewState } = this.#context;
    readTypedAmount(this.#context);
    this.#problemSummary.update();
    this.#paymentFields.update(this.#paymentFieldsAccess.amount);
    if (!isEditable(viewState.state)) return; // The fields of a donation that was just made are removed.
    const isComplete = Object.keys(findProblems(draft, this.#messages)).length === 0;
    const change = { amountCents: draft.totalCents, currency: draft.form.currency };
    host.dispatchEvent(new ConnectChangeEvent(change, isComplete));
  }

  /**
   * Submits the donation when the donor presses Give.
   *
   * 1. The server (BFF) creates a payment intent: `server/routes/payment-intents.ts`.
   * 2. Stripe confirms it with the card data from its own iframe: `form/payment-fields.ts`.
   * 3. The API records the donation when Stripe's webhook event arrives, never because the browser
   *   reports success: `packages/api/src/payments/stripe-events/route.ts`.
   */
  async submit() {
    const { draft, host, viewState } = this.#context;
    if (!isEditable(viewState.state)) return;
    if (isInEditor(host)) return this.#banner.show(renderFocusedInfo(this.#messages.cardInEditor));
    this.interact();
    if (!readFields(this.#context)) return void this.#confirmTotal();
    const hasProblems = Object.keys(findProblems(draft, this.#messages)).length > 0;
    const isReady = this.#paymentFields.status === 'ready';
    if (isReady && !this.#paymentFields.isComplete) {
      // Stripe's fields show what is missing in them, before anything says that a donation is being processed.
      const isComplete = await this.#paymentFields.submit();
      if (!isEditable(this.#context.viewState.state)) return; // A second press has overtaken this one.
      if (!isComplete && !hasProblems) return this.#applyOutcome({ kind: 'incomplete' });
    }
    if (!this.#canSubmit(hasProblems ? this.#problemSummary.currentProblems : {})) return;
    if (!isReady) return this.#waitForPaymentFields();
    await this.#submitPayment();
  }

  /**
   * Checks whether a wallet's sheet may open. Only the amount must be valid, because the wallet
   * provides name and email.
   */
  #canOpenWallet(): boolean {
    const { draft, viewState } = this.#context;
    if (!readFields(this.#context)) return this.#confirmTotal();
    const { amount } = readAmount(draft, this.#messages);
    return isEditable(viewState.state) && this.#canSubmit(amount ? { amount } : {});
  }

  /** Submits the donation by card or wallet; true if the payment succeeded or is processing. */
  async #submitPayment(): Promise<boolean> {
    const { dispatch, draft, host, viewState } = this.#context;
    const problems = findProblems(draft, this.#messages);
    if (!isEditable(viewState.state)) return false;
    if (Object.keys(problems).length) return this.#canSubmit(problems);
    const attempt = dispatch({ type: 'submit' });
    if (!attempt) return false; // A second press must not charge twice.
    this.#progress.start();
    try {
      const outcome = await this.#payment.pay({
        donation: { ...toDonationInput(draft), ...readHoneypot(host) },
        values: { ...draft.values },
        wait: this.#wait,
        onConfirm: () => this.#progress.confirm(),
        onWait: () => this.#banner.announce(this.#messages.elsewhere),
        onLongWait: (stop) => this.#banner.show(renderLongWait(this.#messages, stop)),
        onWaitEnd: () => this.#progress.start(),
      });
      if (this.#context.viewState.state === attempt) this.#applyOutcome(outcome);
      return 'reference' in outcome;
    } catch (error) {
      if (this.#context.viewState.state === attempt) this.#handleError(error);
      return false;
    }
  }

  /** Waits for the payment fields, without which nothing can be paid. The form stays usable meanwhile. */
  async #waitForPaymentFields() {
    const { waitingForCard: text } = this.#messages;
    this.#context.setViewState({ buttonStatus: text, announcement: text, banner: undefined });
    await this.#paymentFields.whenReady();
    // A later press has already been handled.
    if (this.#context.viewState.buttonStatus !== text) return;
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
    return host.dispatchEvent(new ConnectConfirmEvent(draft.totalCents ?? 0, draft.form.currency));
  }

  /** Shows the outcome that Stripe reports. */
  #applyOutcome(outcome: Outcome) {
    this.#prepareResult();
    if ('reference' in outcome) {
      this.#paymentFields.clear();
      this.#storedDraft.clear();
      return this.#thankYou.complete(outcome);
    }
    if (outcome.kind === 'incomplete') return this.#showIncompleteCard();
    const { draft } = this.#context;
    const text = outcomeMessage(outcome, this.#messages, (cents) => draft.formatMoney(cents));
    this.#showFailure(text, undefined, 'code' in outcome ? outcome.code : outcome.kind);
  }

  /** Leads to the payment fields, in which Stripe shows what is missing. */
  #showIncompleteCard() {
    this.#endAttempt();
    if (this.#context.viewState.state.status === 'blocked')
      return focusAfterRender(this.#context, '.payment-error'); // It explains what to do.
    const problems = { payment: this.#messages.missingCard };
    const banner = this.#problemSummary.renderSummary(problems);
    this.#context.setViewState({ problems, banner });
    // Focusable only after the render, because the fields were inert.
    void this.#context.host.updateComplete.then(() => this.#paymentFields.focus());
  }

  /** Shows the form for another donation, with an empty card and a new idempotency key. */
  #startOver() {
    this.#payment.storage.ownAttempt = undefined;
    this.#context.dispatch({ type: 'restart' });
    this.#context.setViewState({ ...NO_MESSAGE, thankYou: undefined });
    focusAfterRender(this.#context, 'input');
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
    this.#endAttempt();
    // Canceling a CAPTCHA is not an error, so it is not logged.
    const wasCancelled = (error as Error | undefined)?.name === 'AbortError';
    if (error && !wasCancelled) console.error('<connect-donate>', error);
    this.#banner.show(content);
    this.#context.host.dispatchEvent(new ConnectErrorEvent(error, code));
  }

  /** Makes the form usable again after an attempt. The donor's input is kept. */
  #endAttempt() {
    const { dispatch, setViewState } = this.#context;
    dispatch({ type: 'failed' });
    if (this.#paymentFields.status === 'blocked') dispatch({ type: 'blocked' });
    setViewState(NO_MESSAGE);
  }

  /** Called before the result of a submission is shown. */
  #prepareResult() {
    this.#progress.stop();
    this.#context.language.applyLateTranslation();
    this.#updateMessages();
  }

  /** Asks the donor to press the button again, because it showed another total than the fields. */
  #confirmTotal(): false {
    const { draft } = this.#context;
    this.#storedDraft.save(draft.values);
    this.change();
    const amount = draft.formatMoney(draft.totalCents!);
    this.#banner.show(renderFocusedInfo(interpolate(this.#messages.amountDiffers, { amount })));
    return false;
  }

  get #messages() {
    return this.#context.language.messages;
  }
}
