import { currencyDecimals } from '@connect-embed/contract/currency';
import { LitElement, css, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { donateStyles } from './connect-donate.styles.ts';
import * as events from './events.ts';
import { amountStyles } from './internal/amount.styles.ts';
import { needsResume } from './internal/pending-payment.ts';
import { cardStyles } from './internal/card.styles.ts';
import { renderFailed, renderHeader, renderLoading } from './internal/form-loading-view.ts';
import type { FormDialog } from './internal/dialog.ts';
import { renderForm, renderErrorBanner } from './internal/form-view.ts';
import type { Appearance } from './internal/apply-appearance.ts';
import { DonationDraft, type DonorInput } from './internal/donation-draft.ts';
import type { DonationFlow } from './internal/donation-flow.ts';
import { Language, type TextOverrides } from './internal/language.ts';
import { donateTexts } from './internal/messages/donate.ts';
import type { DonateTexts, FormTexts } from './internal/messages/form-texts.ts';
import { LOADING_STATE, type ViewState, type FormContext } from './internal/form-context.ts';
import { HeightLock } from './internal/height-lock.ts';
import { resolveServer, warnOnce } from './internal/resolve-server.ts';
import { EmbedSession } from './internal/embed-session.ts';
import { warmUpAmountFormat, runAsSeparateTasks, warmUpRendering } from './internal/tasks.ts';
import { tokens } from './internal/tokens.styles.ts';

/** Ways to stand apart from the page, behind a button; every other is `inline`. */
const DIALOG_DISPLAYS = /^(button|sticky|modal)$/;

/** What an owner may say about the gift, within the form's terms: `internal/attribute-defaults.ts`. */
const DEFAULT_ATTRIBUTES = '[amount],[frequency],[fund],[analytics]';

const loadLazyFeatures = () => import('./internal/lazy-features.ts');
const sharedDeps = {
  html,
  css,
  currencyDecimals,
  warnOnce,
};

let formCount = 0;

/**
 * A form to give through, from the amount to the thank-you.
 *
 * What can be given, and to what, is fixed on the server under the form's name; the page says
 * nothing about money. The card's fields are the processor's own.
 *
 * @tag connect-donate
 * @attr {string} amount - Chosen at first, as in `25` or `25.50`, where the form takes it.
 * @attr {string} frequency - Chosen at first: `one_time`, `monthly`, `quarterly` or `yearly`.
 * @attr {string} fund - Chosen at first, of those that the form offers.
 * @attr {string} loading - When the card processor's script is fetched: `interaction`, `visible` or
 *   `eager`; not earlier than the form on the server says.
 * @attr {string} analytics - `ga4` tells `window.dataLayer` of a gift; never of the donor.
 * @slot - What is shown where no form can be: a link to give through.
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The form is being fetched.
 * @fires {ConnectReadyEvent} connect-ready - The form can be used.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - The form could not be fetched.
 * @fires {ConnectChangeEvent} connect-change - The donor changed the gift.
 * @fires {ConnectConfirmEvent} connect-confirm - Give was pressed; `preventDefault()` stops it.
 * @fires {ConnectSuccessEvent} connect-success - The processor took the gift.
 * @fires {ConnectErrorEvent} connect-error - The gift did not go through.
 * @fires {ConnectOpenEvent} connect-open - The dialog opened; an inline form has none.
 * @fires {ConnectCloseEvent} connect-close - The dialog closed.
 * @csspart open - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart close - The button that closes the dialog.
 * @csspart frame - The card around every face.
 * @csspart heading - The title of the form and of the thank-you.
 * @csspart button - The Give button.
 * @csspart notice - What happened to a gift that did not go through.
 * @cssproperty [--connect-color-primary] - Buttons, choices and focus.
 * @cssproperty [--connect-color-background] - Behind the form and its fields.
 * @cssproperty [--connect-color-text] - Text; lines and hints are mixed from it.
 * @cssproperty [--connect-color-danger] - Problems.
 * @cssproperty [--connect-border-radius=10px] - Corners.
 * @cssproperty [--connect-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--connect-font-family=inherit] - Font; the page's own by default.
 * @cssproperty [--connect-font-size-base=inherit] - Size that all text is measured from.
 */
export class ConnectDonate extends LitElement {
  static override styles = [tokens, donateStyles, amountStyles, cardStyles];

  /** Where the server answers; by default where the script came from. */
  @property() server = '';

  /** The form's name in the server's configuration; `default` when left out. */
  @property() form: string | null = null;

  /** Language of the words, as in `de-AT`; the page's own when left out. */
  @property() locale = '';

  /**
   * Words of your own in place of the form's, by their names: `{ "giveAny": "Donate" }`. Those under
   * a language's name are for that language alone: `{ "fr": { "giveAny": "Offrir" } }`.
   */
  @property({ type: Object }) texts: TextOverrides<FormTexts> | null = null;

  /** `inline`; opened by a `button` or a `sticky` one; or `modal`, opened by the page. */
  @property({ reflect: true }) display?: 'inline' | 'button' | 'sticky' | 'modal' | null;

  /** `light`, `dark`, or `auto` as the page behind it is, else the visitor's system; the page's `color-scheme` when left out. */
  @property({ reflect: true }) theme?: 'light' | 'dark' | 'auto' | null;

  /** A look in Stripe's words; wins over custom properties. */
  @property({ type: Object }) appearance?: Appearance | null;

  readonly #language = new Language<DonateTexts>(this, 'form', donateTexts);
  readonly #heightLock = new HeightLock(this);
  readonly #slot = `connect-card-${++formCount}`;
  #viewState = LOADING_STATE;
  #openAbort: AbortController | undefined;
  #dialog: FormDialog | undefined;
  #context: FormContext | undefined;
  #flow: Promise<DonationFlow> | undefined;

  override connectedCallback() {
    super.connectedCallback();
    addEventListener('online', this.#handleOnline);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('online', this.#handleOnline);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has('theme') && this.theme === 'auto') {
      void loadLazyFeatures().then(({ followPageTheme }) => followPageTheme(this));
    }
    if (changed.has('appearance')) {
      void loadLazyFeatures().then(({ applyAppearance }) => applyAppearance(this, this.appearance));
    }
    if (DIALOG_DISPLAYS.test(this.display!) && !this.#dialog?.isRequested)
      return void this.#loadDialog();
    const isOtherForm = changed.has('server') || changed.has('form');
    if (!this.#openAbort || (isOtherForm && this.#viewState.status !== 'giving')) void this.#open();
  }

  /** Opens the dialog of a form that stands apart. */
  readonly open = async () => (await this.#loadDialog()).open();

  /** Closes it; nothing that the donor typed is lost. */
  close() {
    this.#dialog?.close();
  }

  protected override render() {
    if (!DIALOG_DISPLAYS.test(this.display!)) return this.#renderFrame();
    return this.#dialog?.render(this.#language.texts, () => this.#renderFrame());
  }

  #renderFrame() {
    const { status, announcement } = this.#viewState;
    const { words, direction } = this.#language;
    return html`<section
      class="frame ${status}"
      part="frame"
      lang=${words}
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
    const { status, thankYou } = this.#viewState;
    if (status === 'loading') return renderLoading(this.#language);
    if (status === 'failed') return renderFailed(this.#language.texts, this.#open);
    const { draft } = this.#context!;
    const form = renderForm({
      draft,
      viewState: this.#viewState,
      slot: this.#slot,
      on: {
        act: () => this.#callFlow('act'),
        change: this.#handleChange,
        give: this.#handleSubmit,
        pressCard: () => this.#callFlow('pressCard'),
      },
    });
    return thankYou ?? html`${renderHeader(draft)}${form}`;
  }

  readonly #open = async () => {
    this.#openAbort?.abort();
    const { signal } = (this.#openAbort = new AbortController());
    void this.#flow?.then((giving) => giving.close());
    this.#flow = undefined;
    this.#setViewState(LOADING_STATE);
    this.dispatchEvent(new events.ConnectLoadStartEvent());
    try {
      const session = new EmbedSession(resolveServer(this, this.server), this.form);
      const [formSession] = await Promise.all([
        session.open(signal),
        this.#language.ready,
        warmUpRendering(this),
      ]);
      const { currency } = formSession.form;
      await runAsSeparateTasks(
        this.#heightLock.lock,
        ...warmUpAmountFormat(currency, this.#language.tag),
      );
      signal.throwIfAborted();
      this.#context = this.#createContext(session, formSession, signal);
      if (this.matches(DEFAULT_ATTRIBUTES))
        (await loadLazyFeatures()).applyAttributeDefaults(this.#context, sharedDeps);
      // Before the donor sees anything: what became of a gift that was begun earlier.
      if (needsResume(this.form, formSession.form.terms)) await (await this.#loadFlow()).resume();
      signal.throwIfAborted();
      if (this.#viewState.status === 'loading') this.#setViewState({ status: 'ready' });
      this.dispatchEvent(new events.ConnectReadyEvent());
      await this.updateComplete;
      this.#loadFlow().catch(() => {}); // Tried again when it is needed.
    } catch (error) {
      if (signal.aborted) return;
      console.error(`<connect-donate form="${this.form ?? ''}">`, error);
      this.#setViewState({ status: 'failed' });
      this.dispatchEvent(new events.ConnectLoadErrorEvent(error));
    }
  };

  #createContext(
    session: EmbedSession,
    formSession: FormContext['formSession'],
    signal: AbortSignal,
  ): FormContext {
    const face = () => this.#viewState;
    return {
      host: this,
      name: this.form,
      formSession,
      session,
      draft: new DonationDraft(formSession.form, this.#language),
      slot: this.#slot,
      signal,
      get viewState() {
        return face();
      },
      setViewState: (change) => {
        if (!signal.aborted) this.#setViewState(change);
      },
    };
  }

  readonly #loadDialog = async () => {
    const { FormDialog } = await loadLazyFeatures();
    return (this.#dialog ??= new FormDialog(this, sharedDeps));
  };

  /** The rest of a gift's path: a file of its own, fetched once the form is drawn. */
  #loadFlow(): Promise<DonationFlow> {
    const opened = this.#context!;
    const giving = (this.#flow ??= import('./internal/donation-flow.ts').then(
      ({ DonationFlow }) => new DonationFlow(opened),
    ));
    giving.catch(() => (this.#flow = undefined));
    return giving;
  }

  /** Hands over to `internal/donation-flow.ts`, which may still be on its way. */
  #callFlow(method: 'act' | 'changed' | 'give' | 'pressCard') {
    const { connecting, loadFailedHint } = this.#language.texts;
    // Only `donations.ts` draws the honeypot: without it that file is on its way, and the click must show.
    if (!this.#viewState.honeypot && method !== 'changed')
      this.#setViewState(
        method === 'give'
          ? { buttonStatus: connecting, announcement: connecting }
          : { card: 'loading' },
      );
    this.#loadFlow().then(
      (giving) => giving[method](),
      (error: unknown) => {
        console.error(error);
        this.#setViewState({ buttonStatus: '', card: 'idle' });
        if (method === 'give') this.#setViewState({ banner: renderErrorBanner(loadFailedHint) });
      },
    );
  }

  /** Give was pressed: one press, one gift, in `internal/donation-flow.ts`. */
  readonly #handleSubmit = (event: Event) => {
    event.preventDefault();
    this.#callFlow('give');
  };

  readonly #handleChange = (change: Partial<DonorInput>) => {
    this.#context!.draft.update(change);
    this.requestUpdate();
    this.#callFlow('changed');
  };

  readonly #handleOnline = () => {
    if (this.#viewState.status === 'failed') void this.#open();
  };

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
