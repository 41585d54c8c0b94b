import type { FormPresentation, PublicForm } from '@connect-embed/contract';
import { currencyDecimals } from '@connect-embed/contract/currency';
import { form as english } from '@connect-embed/locales/en.json';
import { html, nothing } from './shared/html.ts';
import { ConnectElement, type PropertyDeclarations } from './shared/connect-element.ts';
import { css } from './shared/css.ts';
import { donateStyles } from './form/connect-donate.styles.ts';
import * as events from './events.ts';
import { amountStyles } from './form/amount.styles.ts';
import { needsResume } from './form/pending-payment.ts';
import { cardStyles } from './form/card.styles.ts';
import { renderLoadError, renderHeader, renderLoading } from './form/form-loading-view.ts';
import { needsPlaceholder } from './form/needs-placeholder.ts';
import type { FormDialog } from './form/dialog.ts';
import { renderForm } from './form/form-view.ts';
import type { Appearance } from './form/apply-appearance.ts';
import { detectLanguage } from './shared/detect-language.ts';
import { DonationDraft } from './form/donation-draft.ts';
import type { DonationFlow } from './form/donation-flow.ts';
import { Language, type MessageOverrides } from './shared/language.ts';
import type { DonateMessages, FormMessages } from './shared/message-types.ts';
import {
  LOADING_STATE,
  type CreateLoadErrorView,
  type FormContext,
  type Replacement,
  type ViewState,
} from './form/form-context.ts';
import { transition, type FormEvent } from './form/form-state.ts';
import { HeightLock } from './form/height-lock.ts';
import { resolveServer, warnOnce } from './shared/resolve-server.ts';
import { loadForm } from './form/load-form.ts';
import { warmUpAmountFormat, runAsSeparateTasks } from './form/tasks.ts';
import { tokens } from './shared/tokens.styles.ts';
import { listenToWindow } from './form/window-listener.ts';

/** Values of `display` that show the form in a dialog. Every other value means `inline`. */
const DIALOG_DISPLAYS = /^(button|sticky|modal)$/;
/** Properties that are applied to the donation before the form is drawn: `attribute-defaults.ts`. */
const DEFAULTS = ['amount', 'frequency', 'fund', 'analytics'] as const;
/** Properties that `donation-flow.ts` applies when the page changes them after the form is drawn. */
const FLOW_PROPERTIES = [...DEFAULTS, 'loading'] as const;
/** Properties that few pages set: `rare-properties.ts`. */
const RARE_PROPERTIES = ['display', 'theme', 'messages', 'appearance'] as const;

const loadLazyFeatures = () => import('./form/lazy-features.ts');
/** Imports the code that is needed once the donor uses the form, or if it cannot be drawn. */
const importFlow = () => import('./form/donation-flow.ts');
const importRareProperties = () => import('./form/rare-properties.ts');
const sharedDeps = {
  html,
  css,
  currencyDecimals,
  warnOnce,
};

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
export class ConnectDonate extends ConnectElement {
  static override styles = [tokens, donateStyles, amountStyles, cardStyles];

  // Static declarations instead of decorators: for this many properties they are smaller.
  static override properties: PropertyDeclarations = {
    server: {},
    form: {},
    locale: {},
    messages: { type: Object },
    display: { reflect: true },
    theme: { reflect: true },
    appearance: { type: Object },
    amount: {},
    frequency: {},
    fund: {},
    loading: {},
    analytics: {},
  };

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  server = '';

  /** Name of the form in the server's configuration; `default` if omitted. */
  form: string | null = null;

  /** Language of the texts, such as `de-AT`; by default the page's. */
  locale = '';

  /**
   * Replaces messages of the form by their keys: `{ "giveAny": "Donate" }`. Messages under a language
   * code apply to that language only: `{ "fr": { "giveAny": "Offrir" } }`.
   */
  messages?: MessageOverrides<FormMessages> | null;

  /**
   * `inline`; or a dialog that is opened by a `button`, by a `sticky` button, or only by the page's
   * script or links (`modal`).
   */
  display?: 'inline' | 'button' | 'sticky' | 'modal' | null;

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the visitor's system.
   * By default the page's `color-scheme`.
   */
  theme?: 'light' | 'dark' | 'auto' | null;

  /** Appearance in the format of Stripe's `appearance` option; overrides custom properties. */
  appearance?: Appearance | null;

  /** Selected amount in the form's currency, such as `25` or `25.50`, if the form allows it. */
  amount?: number | string | null;

  /** Selected frequency, if the form offers it. */
  frequency?: 'one_time' | 'monthly' | 'quarterly' | 'yearly' | null;

  /** Selected fund: the id or the name of a fund that the form offers. */
  fund?: string | null;

  /** When Stripe's script is loaded; not earlier than the form's setting on the server. */
  loading?: 'interaction' | 'visible' | 'eager' | null;

  /** `ga4` pushes the donation to `window.dataLayer`, without data about the donor. */
  analytics?: 'ga4' | null;

  readonly #language = new Language<DonateMessages>(this, 'form', english);
  readonly #heightLock = new HeightLock(this);
  /** The appearance that the form's owner has set. */
  readonly #ownerSheet = new CSSStyleSheet();
  #ownerProperties: FormPresentation['properties'] | undefined;
  readonly #slot = `connect-card-${++formCount}`;
  #viewState = LOADING_STATE;
  /** False if the form can be drawn in the same task in which it starts to load. */
  #hasPlaceholder = true;
  #openAbort: AbortController | undefined;
  #dialog: FormDialog | undefined;
  #context: FormContext | undefined;
  #flow: Promise<DonationFlow> | undefined;

  constructor() {
    super();
    listenToWindow(this, 'online', () => {
      if (this.#viewState.state.status === 'blocked' && !this.#context) void this.#open();
    });
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (RARE_PROPERTIES.some((name) => changed.has(name)))
      void importRareProperties().then(({ applyRareProperties }) =>
        applyRareProperties(this, changed, warnOnce),
      );
    if (this.#context && FLOW_PROPERTIES.some((name) => changed.has(name))) this.#preloadFlow();
    // Also behind a button that the owner has set, because the other form may have another `display`.
    if (this.#openAbort && (changed.has('server') || changed.has('form'))) void this.#open();
    if (DIALOG_DISPLAYS.test(this.display!) && !this.#dialog?.isRequested)
      return void this.#loadDialog();
    if (!this.#openAbort) void this.#open();
    const { status } = this.#viewState.state;
    if (this.getAttribute('state') !== status) this.setAttribute('state', status);
  }

  /** Opens the form's dialog. */
  readonly open = async () => (await this.#loadDialog()).open();

  /** Closes the form's dialog; the donor's input is kept. */
  close() {
    this.#dialog?.close();
  }

  protected override render() {
    if (!DIALOG_DISPLAYS.test(this.display!)) return this.#renderFrame();
    return this.#dialog?.render(this.#language.messages, () => this.#renderFrame());
  }

  #renderFrame() {
    const { state, announcement } = this.#viewState;
    const { status } = state;
    const { code, direction } = this.#language;
    return html`<section
      class=${`frame ${status}`}
      part="frame"
      lang=${code}
      dir=${direction ?? nothing}
      aria-labelledby="title"
      aria-busy=${status === 'loading' || nothing}
    >
      <i class="hidden swatch" aria-hidden="true"></i>
      ${this.#renderView()}
      <p class="hidden" role="status">${announcement}</p>
    </section>`;
  }

  #renderView() {
    const { state, thankYou, loadError } = this.#viewState;
    if (state.status === 'loading')
      return this.#hasPlaceholder ? renderLoading(this.#language) : nothing;
    if (!this.#context) return (loadError ?? renderLoadError)(this.#language.messages, this.#open);
    const { draft } = this.#context;
    const form = renderForm({
      draft,
      viewState: this.#viewState,
      slot: this.#slot,
      on: {
        approach: () => this.#preloadFlow(),
        interact: () => this.#callFlow('interact'),
        change: (change) => {
          draft.update(change);
          this.requestUpdate();
          this.#callFlow('change');
        },
        // `DonationFlow.submit` ensures that one press makes one donation.
        submit: (event) => {
          event.preventDefault();
          this.#callFlow('submit');
        },
        focusCard: () => this.#callFlow('focusCard'),
      },
    });
    return thankYou ?? html`${renderHeader(draft)}${form}`;
  }

  readonly #open = () => this.#openForm();

  /** @param replacement a form to show in place of the one that the server returns */
  async #openForm(replacement?: Replacement) {
    if (!this.#dispatch({ type: 'open' })) return; // A payment is not interrupted.
    this.#close();
    const { signal } = (this.#openAbort = new AbortController());
    this.#viewState = LOADING_STATE;
    this.dispatchEvent(new events.ConnectLoadStartEvent());
    try {
      const address = { server: resolveServer(this, this.server), name: this.form };
      const loading = replacement?.form ?? loadForm(address, signal, importFlow);
      const hasDefaults = () => DEFAULTS.some((name) => this[name]);
      const language = detectLanguage(this);
      // Without a placeholder, nothing below may wait for a task or a request.
      this.#hasPlaceholder =
        needsPlaceholder(loading, language, this.form) || !!replacement || hasDefaults();
      const [form] = await Promise.all([
        loading,
        this.#language.ready,
        this.#hasPlaceholder && runAsSeparateTasks(...warmUpAmountFormat('usd', language)),
      ]);
      const { currency, presentation, terms } = form;
      if (this.#hasPlaceholder)
        await runAsSeparateTasks(this.#heightLock.lock, ...warmUpAmountFormat(currency, language));
      signal.throwIfAborted();
      this.#context = this.#createContext(address, form, !!replacement, signal);
      this.#applyPresentation(presentation);
      if (hasDefaults())
        (await loadLazyFeatures()).applyAttributeDefaults(this.#context, sharedDeps);
      // A payment that was started before a reload or a bank redirect is looked up before the form is
      // drawn.
      if (replacement || needsResume(this.form, terms))
        await (await this.#loadFlow()).resume(replacement);
      signal.throwIfAborted();
      this.#dispatch({ type: 'opened' });
      this.dispatchEvent(new events.ConnectReadyEvent());
      await this.updateComplete;
      if (terms.card_loading !== 'interaction' || this.loading) this.#preloadFlow();
    } catch (error) {
      const flow = await importFlow().catch(() => {});
      if (!signal.aborted) this.#fail(error, flow?.createLoadErrorView);
    }
  }

  /** Shows that the form cannot be used. A donation that is being paid is not interrupted. */
  #fail(error: unknown, createView: CreateLoadErrorView | undefined) {
    if (!this.#dispatch({ type: 'blocked' })) return;
    console.error(`<connect-donate form="${this.form ?? ''}">`, error);
    this.#close();
    this.#setViewState({ loadError: createView?.(this, error) });
    this.dispatchEvent(new events.ConnectLoadErrorEvent(error));
  }

  /** Ends everything that belongs to the form that was opened last. */
  #close() {
    this.#openAbort?.abort();
    void this.#flow?.then((flow) => flow.close());
    this.#flow = this.#context = undefined;
  }

  /**
   * Applies how the form looks and what it says, before it is drawn. Properties, messages and custom
   * properties of the page take precedence.
   */
  #applyPresentation({ properties, messages, style = '' }: Partial<FormPresentation> = {}) {
    for (const name of ['display', 'theme'] as const) {
      // A value of the form that was shown before does not apply to this one.
      if (!this[name] || this[name] === this.#ownerProperties?.[name])
        this[name] = properties?.[name] as never;
    }
    this.#ownerProperties = properties;
    this.#ownerSheet.replaceSync(`:host{${style}}`);
    const sheets = this.shadowRoot!.adoptedStyleSheets;
    if (!sheets.includes(this.#ownerSheet)) sheets.push(this.#ownerSheet);
    this.#language.owner = messages;
    this.#language.apply();
  }

  #createContext(
    address: Pick<FormContext, 'server' | 'name'>,
    form: PublicForm,
    isReplacement: boolean,
    signal: AbortSignal,
  ): FormContext {
    const getViewState = () => this.#viewState;
    return {
      ...address,
      host: this,
      draft: new DonationDraft(form, this.#language),
      slot: this.#slot,
      signal,
      appliedDefaults: {},
      get viewState() {
        return getViewState();
      },
      dispatch: (event) => (signal.aborted ? undefined : this.#dispatch(event)),
      setViewState: (change) => {
        if (!signal.aborted) this.#setViewState(change);
      },
      isReplacement,
      replaceForm: (replacement) => {
        if (!signal.aborted) void this.#openForm(replacement);
      },
      fail: (error, createView) => {
        if (!signal.aborted) this.#fail(error, createView);
      },
    };
  }

  async #loadDialog() {
    const { FormDialog } = await loadLazyFeatures();
    return (this.#dialog ??= new FormDialog(this, sharedDeps));
  }

  /** Loads the code for a donor who will use the form. A failed preload is retried on use. */
  #preloadFlow() {
    this.#loadFlow().catch(() => {});
  }

  /** Loads the code that submits donations, which is a separate chunk. */
  #loadFlow(): Promise<DonationFlow> {
    const context = this.#context!;
    const flow = (this.#flow ??= importFlow().then(
      ({ DonationFlow }) => new DonationFlow(context),
    ));
    flow.catch(() => (this.#flow = undefined));
    return flow;
  }

  /** Calls a method of `form/donation-flow.ts`, which may still be loading. */
  #callFlow(method: 'interact' | 'change' | 'submit' | 'focusCard') {
    const { connecting, loadFailedHint } = this.#language.messages;
    // `DonationFlow` sets the honeypot, so without a honeypot it is still loading, and a click needs
    // visible feedback.
    if (!this.#viewState.honeypot && method !== 'change')
      this.#setViewState(
        method === 'submit'
          ? { buttonStatus: connecting, announcement: connecting }
          : { card: 'loading' },
      );
    this.#loadFlow().then(
      (flow) => flow[method](),
      (error: unknown) => {
        console.error(error);
        const failed = { banner: loadFailedHint, announcement: loadFailedHint };
        this.#setViewState({ buttonStatus: '', card: 'idle', ...(method === 'submit' && failed) });
      },
    );
  }

  /** Changes the state and returns it; undefined if the state ignores the event. */
  #dispatch(event: FormEvent) {
    const state = transition(this.#viewState.state, event);
    if (state) this.#setViewState({ state });
    return state;
  }

  #setViewState(change: Partial<ViewState>) {
    this.#viewState = { ...this.#viewState, ...change };
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donate': ConnectDonate;
  }
}
