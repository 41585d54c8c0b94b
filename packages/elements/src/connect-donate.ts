import { currencyDecimals } from '@connect-embed/contract/currency';
import { LitElement, css, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { donateStyles } from './connect-donate.styles.ts';
import * as events from './events.ts';
import { amountStyles } from './internal/amount.styles.ts';
import { begun } from './internal/begun.ts';
import { cardStyles } from './internal/card.styles.ts';
import { renderFailed, renderHeader, renderLoading } from './internal/donate-faces.ts';
import type { FormDialog } from './internal/dialog.ts';
import { renderForm, renderProblemNotice } from './internal/donate-view.ts';
import type { Appearance } from './internal/dress.ts';
import { GiftDraft, type Values } from './internal/gift-draft.ts';
import type { Giving } from './internal/giving.ts';
import { Language, type OwnTexts } from './internal/language.ts';
import { donateTexts } from './internal/messages/donate.ts';
import type { DonateTexts, FormTexts } from './internal/messages/form-texts.ts';
import { LOADING, type Face, type OpenedForm } from './internal/opened-form.ts';
import { Reserve } from './internal/reserve.ts';
import { serverOf, warnOnce } from './internal/script-home.ts';
import { Session } from './internal/session.ts';
import { firstAmount, inTasks, makeReady } from './internal/tasks.ts';
import { tokens } from './internal/tokens.styles.ts';

/** Ways to stand apart from the page, behind a button; every other is `inline`. */
const APART = /^(button|sticky|modal)$/;

/** What an owner may say about the gift, within the form's terms: `internal/wishes.ts`. */
const WISHES = '[amount],[frequency],[fund],[analytics]';

const fetchOwner = () => import('./internal/owner.ts');
const LENT = {
  html,
  css,
  currencyDecimals,
  warnOnce,
};

let forms = 0;

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
  @property({ type: Object }) texts: OwnTexts<FormTexts> | null = null;

  /** `inline`; opened by a `button` or a `sticky` one; or `modal`, opened by the page. */
  @property({ reflect: true }) display?: 'inline' | 'button' | 'sticky' | 'modal' | null;

  /** `light`, `dark`, or `auto` as the page behind it is, else the visitor's system; the page's `color-scheme` when left out. */
  @property({ reflect: true }) theme?: 'light' | 'dark' | 'auto' | null;

  /** A look in Stripe's words; wins over custom properties. */
  @property({ type: Object }) appearance?: Appearance | null;

  readonly #language = new Language<DonateTexts>(this, 'form', donateTexts);
  readonly #reserve = new Reserve(this);
  readonly #slot = `connect-card-${++forms}`;
  #face = LOADING;
  #opening: AbortController | undefined;
  #dialog: FormDialog | undefined;
  #opened: OpenedForm | undefined;
  #giving: Promise<Giving> | undefined;

  override connectedCallback() {
    super.connectedCallback();
    addEventListener('online', this.#online);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('online', this.#online);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has('theme') && this.theme === 'auto') {
      void fetchOwner().then(({ followPageTheme }) => followPageTheme(this));
    }
    if (changed.has('appearance')) {
      void fetchOwner().then(({ dress }) => dress(this, this.appearance));
    }
    if (APART.test(this.display!) && !this.#dialog?.wanted) return void this.#fetchDialog();
    const renamed = changed.has('server') || changed.has('form');
    if (!this.#opening || (renamed && this.#face.status !== 'giving')) void this.#open();
  }

  /** Opens the dialog of a form that stands apart. */
  readonly open = async () => (await this.#fetchDialog()).open();

  /** Closes it; nothing that the donor typed is lost. */
  close() {
    this.#dialog?.close();
  }

  protected override render() {
    if (!APART.test(this.display!)) return this.#renderFrame();
    return this.#dialog?.render(this.#language.texts, () => this.#renderFrame());
  }

  #renderFrame() {
    const { status, spoken } = this.#face;
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
      ${this.#renderFace()}
      <p class="hidden" role="status">${spoken}</p>
    </section>`;
  }

  #renderFace() {
    const { status, thanks } = this.#face;
    if (status === 'loading') return renderLoading(this.#language);
    if (status === 'failed') return renderFailed(this.#language.texts, this.#open);
    const { draft } = this.#opened!;
    const form = renderForm({
      draft,
      face: this.#face,
      slot: this.#slot,
      on: {
        act: () => this.#do('act'),
        set: this.#set,
        give: this.#give,
        pressCard: () => this.#do('pressCard'),
      },
    });
    return thanks ?? html`${renderHeader(draft)}${form}`;
  }

  readonly #open = async () => {
    this.#opening?.abort();
    const { signal } = (this.#opening = new AbortController());
    void this.#giving?.then((giving) => giving.close());
    this.#giving = undefined;
    this.#show(LOADING);
    this.dispatchEvent(new events.ConnectLoadStartEvent());
    try {
      const session = new Session(serverOf(this, this.server), this.form);
      const [answer] = await Promise.all([
        session.open(signal),
        this.#language.ready,
        makeReady(this),
      ]);
      const { currency } = answer.form;
      await inTasks(this.#reserve.hold, ...firstAmount(currency, this.#language.tag));
      signal.throwIfAborted();
      this.#opened = this.#openedForm(session, answer, signal);
      if (this.matches(WISHES)) (await fetchOwner()).takeWishes(this.#opened, LENT);
      // Before the donor sees anything: what became of a gift that was begun earlier.
      if (begun(this.form, answer.form.terms)) await (await this.#fetchGiving()).resume();
      signal.throwIfAborted();
      if (this.#face.status === 'loading') this.#show({ status: 'ready' });
      this.dispatchEvent(new events.ConnectReadyEvent());
      await this.updateComplete;
      this.#fetchGiving().catch(() => {}); // Tried again when it is needed.
    } catch (error) {
      if (signal.aborted) return;
      console.error(`<connect-donate form="${this.form ?? ''}">`, error);
      this.#show({ status: 'failed' });
      this.dispatchEvent(new events.ConnectLoadErrorEvent(error));
    }
  };

  #openedForm(session: Session, answer: OpenedForm['answer'], signal: AbortSignal): OpenedForm {
    const face = () => this.#face;
    return {
      host: this,
      name: this.form,
      answer,
      session,
      draft: new GiftDraft(answer.form, this.#language),
      slot: this.#slot,
      signal,
      get face() {
        return face();
      },
      show: (change) => {
        if (!signal.aborted) this.#show(change);
      },
    };
  }

  readonly #fetchDialog = async () => {
    const { FormDialog } = await fetchOwner();
    return (this.#dialog ??= new FormDialog(this, LENT));
  };

  /** The rest of a gift's path: a file of its own, fetched once the form is drawn. */
  #fetchGiving(): Promise<Giving> {
    const opened = this.#opened!;
    const giving = (this.#giving ??= import('./internal/giving.ts').then(
      ({ Giving }) => new Giving(opened),
    ));
    giving.catch(() => (this.#giving = undefined));
    return giving;
  }

  /** Hands over to `internal/giving.ts`, which may still be on its way. */
  #do(what: 'act' | 'changed' | 'give' | 'pressCard') {
    const { connecting, loadFailedHint } = this.#language.texts;
    // Only `donations.ts` draws the honeypot: without it that file is on its way, and the click must show.
    if (!this.#face.trap && what !== 'changed')
      this.#show(what === 'give' ? { busy: connecting, spoken: connecting } : { card: 'loading' });
    this.#fetchGiving().then(
      (giving) => giving[what](),
      (error: unknown) => {
        console.error(error);
        this.#show({ busy: '', card: 'idle' });
        if (what === 'give') this.#show({ notice: renderProblemNotice(loadFailedHint) });
      },
    );
  }

  /** Give was pressed: one press, one gift, in `internal/giving.ts`. */
  readonly #give = (event: Event) => {
    event.preventDefault();
    this.#do('give');
  };

  readonly #set = (change: Partial<Values>) => {
    this.#opened!.draft.set(change);
    this.requestUpdate();
    this.#do('changed');
  };

  readonly #online = () => {
    if (this.#face.status === 'failed') void this.#open();
  };

  #show(change: Partial<Face>) {
    this.#face = { ...this.#face, ...change };
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donate': ConnectDonate;
  }
}
