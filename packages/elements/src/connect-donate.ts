import type { FormPresentation, PublicForm } from '@connect-embed/contract';
import { form as english } from '@connect-embed/locales/en.json';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ConnectLoadErrorEvent, ConnectLoadStartEvent, ConnectReadyEvent } from './events.ts';
import { amountStyles } from './form/amount.styles.ts';
import type { Appearance } from './form/apply-appearance.ts';
import { AttributeDefaults } from './form/attribute-defaults.ts';
import { paymentFieldsStyles } from './form/payment-fields.styles.ts';
import { checkProperties } from './form/check-properties.ts';
import { donateStyles } from './form/connect-donate.styles.ts';
import type { FormDialog } from './form/dialog.ts';
import { DonationDraft } from './form/donation-draft.ts';
import { FlowLoader } from './form/flow-loader.ts';
import {
  LOADING_STATE,
  type FormContext,
  type FormHandlers,
  type Replacement,
  type ViewState,
} from './form/form-context.ts';
import { isEditable, transition, type FormEvent } from './form/form-state.ts';
import { renderForm, renderHeader } from './form/form-view.ts';
import { HeightLock } from './form/height-lock.ts';
import { renderLoadError } from './form/load-error-view.ts';
import { loadForm, type FormAddress } from './form/load-form.ts';
import { applyOwnerStyle } from './form/owner-style.ts';
import { needsResume } from './form/pending-payment.ts';
import { renderPlaceholder } from './form/placeholder-view.ts';
import { loadAmountFormat } from './form/tasks.ts';
import { listenToWindow } from './form/window-listener.ts';
import { detectLanguage } from './shared/detect-language.ts';
import { Language, type MessageOverrides } from './shared/language.ts';
import { logLoadError } from './shared/log-load-error.ts';
import type { DonateMessages, FormMessages } from './shared/message-types.ts';
import { messageStyles } from './shared/message.styles.ts';
import { PageTheme } from './shared/page-theme.ts';
import { importChunk } from './shared/import-chunk.ts';
import { resolveServer } from './shared/resolve-server.ts';
import { UnclosedTag } from './shared/unclosed-tag.ts';
import { textStyles } from './shared/text.styles.ts';
import { themeStyles } from './shared/theme.styles.ts';
import { tokens } from './shared/tokens.styles.ts';

/** Values of `display` that show the form in a dialog. Every other value means `inline`. */
const DIALOG_DISPLAYS: readonly unknown[] = ['button', 'sticky', 'modal'];

/** How long the first drawing waits for the form. After a longer wait a placeholder is better. */
const MAX_WAIT_MS = 100;

let formCount = 0;

/**
 * A donation form, from the choice of the amount to the thank-you page.
 *
 * Amounts, funds and frequencies are configured on the server under the form's name, not in the
 * page. The card fields are Stripe's own frame.
 *
 * @tag connect-donate
 * @slot - Fallback content where the form cannot be shown, such as a link to a donation page.
 * @fires {ConnectLoadStartEvent} connect-load-start - The form starts to load.
 * @fires {ConnectReadyEvent} connect-ready - The form can be used.
 * @fires {ConnectLoadErrorEvent} connect-load-error - The form could not be loaded.
 * @fires {ConnectChangeEvent} connect-change - The donation in the form changed.
 * @fires {ConnectConfirmEvent} connect-confirm - Give was pressed; `preventDefault()` stops the donation.
 * @fires {ConnectSuccessEvent} connect-success - Stripe confirmed the payment.
 * @fires {ConnectErrorEvent} connect-error - The donation failed.
 * @fires {ConnectOpenEvent} connect-open - The dialog opened; an inline form has none.
 * @fires {ConnectCloseEvent} connect-close - The dialog closed.
 * @csspart open-button - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart close-button - The button that closes the dialog.
 * @csspart frame - The card around every view of the form.
 * @csspart heading - The title of the form and of the thank-you page.
 * @csspart goal - The goal of the form's campaign.
 * @csspart submit-button - The Give button.
 * @csspart message - The message above the Give button, such as why a payment failed.
 * @cssproperty [--connect-color-primary] - Color of buttons, selected options and focus outlines.
 * @cssproperty [--connect-color-background] - Background of the form and its fields.
 * @cssproperty [--connect-color-text] - Text. The colors of lines and hints are derived from it.
 * @cssproperty [--connect-color-danger] - Color of error messages.
 * @cssproperty [--connect-border-radius=10px] - Radius of corners.
 * @cssproperty [--connect-spacing-unit=4px] - All spacing is a multiple of it.
 * @cssproperty [--connect-font-family=inherit] - Font; by default the page's font.
 * @cssproperty [--connect-font-size-base=inherit] - Base font size; all text sizes are relative to it.
 */
export class ConnectDonate extends LitElement {
  static override styles = [
    tokens,
    textStyles,
    themeStyles,
    messageStyles,
    donateStyles,
    amountStyles,
    paymentFieldsStyles,
  ];

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  @property() server = '';

  /** Name of the form in the server's configuration; `default` if omitted. */
  @property() form: string | null = null;

  /** Language of the texts, such as `de-AT`; by default the page's. */
  @property() locale = '';

  /**
   * Replaces messages of the form by their keys: `{ "giveAny": "Donate" }`. Messages under a language
   * code apply to that language only: `{ "fr": { "giveAny": "Offrir" } }`.
   */
  @property({ type: Object }) messages?: MessageOverrides<FormMessages> | null;

  /**
   * `inline`; or a dialog that is opened by a `button`, by a `sticky` button, or only by the page's
   * script or links (`modal`).
   */
  @property({ reflect: true }) display?: 'inline' | 'button' | 'sticky' | 'modal' | null;

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the visitor's system.
   * By default the page's `color-scheme`.
   */
  @property({ reflect: true }) theme?: 'light' | 'dark' | 'auto' | null;

  /** Appearance in the format of Stripe's `appearance` option; overrides custom properties. */
  @property({ type: Object }) appearance?: Appearance | null;

  /** Selected amount in the form's currency, such as `25` or `25.50`, if the form allows it. */
  @property() amount?: number | string | null;

  /** Selected frequency, if the form offers it. */
  @property() frequency?: 'one_time' | 'monthly' | 'quarterly' | 'yearly' | null;

  /** Selected fund: the id or the name of a fund that the form offers. */
  @property() fund?: string | null;

  /** When Stripe's script is loaded; not earlier than the form's setting on the server. */
  @property() loading?: 'interaction' | 'visible' | 'eager' | null;

  /** `ga4` pushes the donation to `window.dataLayer`, without data about the donor. */
  @property() analytics?: 'ga4' | null;

  /** What is drawn: the form's state, and the texts and templates to show in it. */
  @state() private viewState = LOADING_STATE;

  readonly #language = new Language<DonateMessages>(this, 'form', english, {
    defersTranslations: () => this.#isDonorInField,
  });
  readonly #heightLock = new HeightLock(this);
  /** The appearance that the form's owner has set. */
  readonly #ownerSheet = new CSSStyleSheet();
  /** The appearance that the page has set. */
  readonly #appearanceSheet = new CSSStyleSheet();
  #ownerProperties: FormPresentation['properties'] | undefined;
  /** Name of the slot for the payment fields, unique in the page. */
  readonly #slot = `connect-card-${++formCount}`;
  #dialog: FormDialog | undefined;
  /** The properties of the form that was opened last. */
  #opened: Pick<ConnectDonate, 'server' | 'form'> | undefined;
  /** Ends everything that belongs to the form that was opened last. */
  #openAbort: AbortController | undefined;
  /** The open form; undefined while it is loading and if it cannot be used. */
  #context: FormContext | undefined;
  #defaults: AttributeDefaults | undefined;
  #flow: FlowLoader | undefined;

  constructor() {
    super();
    new PageTheme(this);
    new UnclosedTag(this);
    listenToWindow(this, 'online', () => {
      if (this.viewState.state.status === 'blocked' && !this.#context) void this.#openForm();
    });
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets.push(this.#ownerSheet, this.#appearanceSheet);
    return root;
  }

  /**
   * Waits a moment for the form before the first update, because a placeholder that is replaced at once
   * would only delay the form. The browser can also do other work between defining and drawing the
   * element.
   */
  protected override async scheduleUpdate() {
    if (!this.hasUpdated) {
      const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
      await Promise.race([this.#load(), timeout]);
    }
    await super.scheduleUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    checkProperties(this);
    if (changed.has('appearance')) this.#applyAppearance().catch(console.error);
    void this.#load();
    // A donation changes only while its form is shown: not during a payment, nor after it.
    if (isEditable(this.viewState.state) && this.#defaults?.apply()) this.#flow?.call('change');
    if (changed.has('loading')) this.#flow?.preload();
  }

  protected override updated() {
    const status = this.#isDialogClosed ? 'closed' : this.viewState.state.status;
    if (this.getAttribute('state') !== status) this.setAttribute('state', status);
  }

  /** Opens the form's dialog. */
  async open() {
    await this.updateComplete;
    await (await this.#loadDialog()).open();
  }

  /** Closes the form's dialog; the donor's input is kept. */
  close() {
    this.#dialog?.close();
  }

  protected override render() {
    if (!this.#isInDialog) return this.#renderFrame();
    return this.#dialog?.render(this.#language.messages, () => this.#renderFrame()) ?? nothing;
  }

  #renderFrame() {
    const { state, announcement } = this.viewState;
    const { code, direction } = this.#language;
    return html`<section
      class="frame ${state.status}"
      part="frame"
      lang=${code}
      dir=${direction ?? nothing}
      aria-labelledby="title purpose"
      aria-busy=${state.status === 'loading' || nothing}
    >
      <i class="hidden swatch" aria-hidden="true"></i>
      ${this.#renderView()}
      <p class="hidden" role="status">${announcement}</p>
    </section>`;
  }

  #renderView() {
    const { viewState } = this;
    const { messages } = this.#language;
    if (viewState.state.status === 'loading') return renderPlaceholder(messages);
    if (!this.#context) return renderLoadError(viewState.loadError, messages, this.#retry);
    if (viewState.thankYou) return viewState.thankYou;
    const { draft } = this.#context;
    const view = { draft, viewState, slot: this.#slot, on: this.#formHandlers };
    return html`${renderHeader(draft, viewState.goal?.())}${renderForm(view)}`;
  }

  get #isInDialog() {
    return DIALOG_DISPLAYS.includes(this.display);
  }

  /** True as long as the form has not been opened in its dialog. It is not loaded before. */
  get #isDialogClosed() {
    return this.#isInDialog && !this.#dialog?.isRequested;
  }

  /** True while a field of the form has the focus, or a frame: it may be that of the payment fields. */
  get #isDonorInField() {
    const field = this.shadowRoot?.querySelector('form:focus-within');
    return !!field || !!document.activeElement?.matches('iframe');
  }

  /** Loads what is shown next: the form, another form, or the dialog that the form is opened in. */
  async #load() {
    const { server, form } = this;
    // Also behind a button that the owner has set, because the other form may have another `display`.
    const isOtherForm =
      this.#opened && (this.#opened.server !== server || this.#opened.form !== form);
    if (isOtherForm || (!this.#opened && !this.#isDialogClosed)) {
      this.#opened = { server, form };
      await this.#openForm();
    } else if (this.#isDialogClosed) {
      await this.#loadDialog().catch((error: unknown) => console.error('<connect-donate>', error));
    }
  }

  async #loadDialog() {
    const { FormDialog } = await importChunk(() => import('./form/dialog.ts'));
    return (this.#dialog ??= new FormDialog(this));
  }

  /** @param replacement a form to show in place of the one that the server returns */
  async #openForm(replacement?: Replacement) {
    if (!this.#dispatch({ type: 'open' })) return; // A payment is not interrupted.
    this.#closeForm();
    const { signal } = (this.#openAbort = new AbortController());
    this.viewState = LOADING_STATE;
    this.dispatchEvent(new ConnectLoadStartEvent());
    try {
      const address = { server: resolveServer(this, this.server), name: this.form };
      const [form] = await Promise.all([
        replacement?.form ?? loadForm(address, signal),
        this.#language.ready,
        // Meanwhile, because it takes long. The currency is not known yet.
        loadAmountFormat('usd', detectLanguage(this)),
      ]);
      await loadAmountFormat(form.currency, this.#language.tag);
      signal.throwIfAborted();
      this.#heightLock.lock();
      this.#context = this.#createContext(address, form, !!replacement, signal);
      this.#flow = new FlowLoader(this.#context);
      this.#applyPresentation(form.presentation);
      this.#defaults = new AttributeDefaults(this, this.#context.draft);
      this.#defaults.apply();
      // A payment that was started before a reload or a bank redirect is looked up before the form is
      // drawn.
      if (replacement || needsResume(this.form, form.terms))
        await (await this.#flow.load()).resume(replacement);
      signal.throwIfAborted();
      this.#dispatch({ type: 'opened' });
      // Not awaited, because the first update waits for this method.
      void this.updateComplete.then(() => signal.aborted || this.#formDrawn(form));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #formDrawn({ terms }: PublicForm) {
    this.dispatchEvent(new ConnectReadyEvent());
    if (terms.card_loading !== 'interaction' || this.loading) this.#flow?.preload();
    // Few forms show a goal, so its code is loaded on demand.
    if (terms.show_goal)
      import('./form/goal-view.ts').then(({ showGoal }) => showGoal(this.#context!), console.error);
  }

  /** Shows that the form cannot be used. A donation that is being paid is not interrupted. */
  #fail(error: unknown) {
    if (!this.#dispatch({ type: 'blocked' })) return;
    const server = resolveServer(this, this.server);
    void logLoadError(`<connect-donate form="${this.form ?? ''}">`, error, server);
    this.#closeForm();
    this.#setViewState({ loadError: error });
    this.dispatchEvent(new ConnectLoadErrorEvent(error));
  }

  /** Ends everything that belongs to the form that was opened last. */
  #closeForm() {
    this.#openAbort?.abort();
    this.#flow?.close();
    this.#context = this.#defaults = this.#flow = undefined;
  }

  /**
   * Applies how the form looks and what it says, before it is drawn. Properties, messages and custom
   * properties of the page take precedence.
   */
  #applyPresentation({ properties, messages, style = '' }: Partial<FormPresentation> = {}) {
    const { display, theme } = this.#ownerProperties ?? {};
    // A value of the form that was shown before does not apply to this one.
    // Cast, because a server may send values that a later API adds, and undefined resets a property.
    if (!this.display || this.display === display) this.display = properties?.display as never;
    if (!this.theme || this.theme === theme) this.theme = properties?.theme as never;
    this.#ownerProperties = properties;
    applyOwnerStyle(style, this.#ownerSheet);
    this.#language.setOwnerMessages(messages);
  }

  /** Few pages set an appearance, so its code is loaded on demand. */
  async #applyAppearance() {
    const { applyAppearance } = await import('./form/apply-appearance.ts');
    applyAppearance(this, this.#appearanceSheet);
  }

  #createContext(
    address: FormAddress,
    form: PublicForm,
    isReplacement: boolean,
    signal: AbortSignal,
  ): FormContext {
    const getViewState = () => this.viewState;
    return {
      ...address,
      host: this,
      draft: new DonationDraft(form, this.#language),
      language: this.#language,
      slot: this.#slot,
      signal,
      get viewState() {
        return getViewState();
      },
      dispatch: (event) => (signal.aborted ? undefined : this.#dispatch(event)),
      setViewState: (change) => {
        if (!signal.aborted) this.#setViewState(change);
      },
      releaseHeight: this.#heightLock.release,
      isReplacement,
      replaceForm: (replacement) => {
        if (!signal.aborted) void this.#openForm(replacement);
      },
      fail: (error) => {
        if (!signal.aborted) this.#fail(error);
      },
    };
  }

  /** Changes the state and returns it; undefined if the state ignores the event. */
  #dispatch(event: FormEvent) {
    const state = transition(this.viewState.state, event);
    if (state) this.#setViewState({ state });
    return state;
  }

  #setViewState(change: Partial<ViewState>) {
    this.viewState = { ...this.viewState, ...change };
  }

  readonly #retry = () => void this.#openForm();

  readonly #formHandlers: FormHandlers = {
    approach: () => this.#flow?.preload(),
    interact: () => this.#flow?.call('interact'),
    change: (change) => {
      this.#context?.draft.update(change);
      this.requestUpdate();
      this.#flow?.saveInput();
      this.#flow?.call('change');
    },
    // `DonationFlow.submit` ensures that one press makes one donation.
    submit: (event) => {
      event.preventDefault();
      this.#flow?.call('submit');
    },
    focusPayment: () => this.#flow?.call('focusPayment'),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donate': ConnectDonate;
  }
}
