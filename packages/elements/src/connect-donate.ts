import type { FormSession } from '@connect-embed/contract';
import { LitElement, html, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { donateStyles } from './connect-donate.styles.ts';
import * as events from './events.ts';
import { amountStyles } from './internal/amount.styles.ts';
import { cardStyles } from './internal/card.styles.ts';
import * as faces from './internal/donate-faces.ts';
import { renderForm, type Notice } from './internal/donate-view.ts';
import { GiftDraft, type Field, type Problems } from './internal/gift-draft.ts';
import { findReturn, forgetReturn } from './internal/gift-return.ts';
import type { Thanks } from './internal/thanks-face.ts';
import { languageOf } from './internal/language.ts';
import { LateGiving } from './internal/late-giving.ts';
import { donateTexts as texts } from './internal/messages/donate.ts';
import type { Outcome, Paid } from './internal/outcome.ts';
import { Reserve } from './internal/reserve.ts';
import { serverOf } from './internal/script-home.ts';
import { pause, Session, type Wait } from './internal/session.ts';
import { tokens } from './internal/tokens.styles.ts';

type Status = 'loading' | 'ready' | 'giving' | 'thanked' | 'failed';

/**
 * A form to give through, from the amount to the thank-you.
 *
 * What can be given, and to what, is fixed on the server under the form's name; the page says
 * nothing about money. The card's fields are the processor's own.
 *
 * @tag connect-donate
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The form is being fetched.
 * @fires {ConnectReadyEvent} connect-ready - The form can be used.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - The form could not be fetched.
 * @fires {ConnectChangeEvent} connect-change - The donor changed the gift.
 * @fires {ConnectConfirmEvent} connect-confirm - Give was pressed; `preventDefault()` stops it.
 * @fires {ConnectSuccessEvent} connect-success - The processor took the gift.
 * @fires {ConnectErrorEvent} connect-error - The gift did not go through.
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

  @state() private status: Status = 'loading';
  @state() private problems: Problems = {};
  @state() private notice: Notice | undefined;

  readonly #reserve = new Reserve(this);
  readonly #giving = new LateGiving(this);
  #opening = new AbortController();
  #session!: Session;
  #opened!: FormSession;
  #draft!: GiftDraft;
  #thanks!: Thanks;

  override connectedCallback() {
    super.connectedCallback();
    for (const type of LINE_EVENTS) window.addEventListener(type, this.#lineChanged);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const type of LINE_EVENTS) window.removeEventListener(type, this.#lineChanged);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const renamed = changed.has('server') || changed.has('form');
    if (!this.hasUpdated || (renamed && this.status !== 'giving')) void this.#open();
  }

  protected override render() {
    return html`<section
      class="frame ${this.status}"
      part="frame"
      aria-labelledby="title"
      aria-busy=${this.status === 'loading' ? 'true' : 'false'}
    >
      <i class="swatch" aria-hidden="true"></i>
      ${this.#renderFace()}
      <p class="hidden" role="status">${this.#spoken()}</p>
    </section>`;
  }

  #renderFace() {
    if (this.status === 'loading') return faces.renderLoading();
    if (this.status === 'failed') return faces.renderFailed(!navigator.onLine, this.#open);
    if (this.status === 'thanked')
      return this.#giving.late!.renderThanks(this.#thanks, this.#again);
    const { form, embed_url: hostedUrl } = this.#opened;
    return html`${faces.renderHeader(form)}
    ${renderForm({
      draft: this.#draft,
      amountCents: this.#amountCents,
      problems: this.problems,
      notice: this.notice,
      giving: this.status === 'giving',
      card: { status: this.#giving.card, slot: this.#giving.slot, hostedUrl },
      on: {
        submit: this.#give,
        act: this.#act,
        choose: this.#choose,
        type: this.#type,
        pressCard: this.#pressCard,
        retryCard: this.#loadCard,
      },
    })}`;
  }

  /** What a screen reader is told when nothing takes the focus. */
  #spoken(): string {
    if (this.status === 'giving') return this.notice?.text ?? texts.pleaseWait;
    return this.#giving.card === 'loading' ? texts.loadingCard : '';
  }

  readonly #open = async () => {
    this.#opening.abort();
    const { signal } = (this.#opening = new AbortController());
    this.#giving.forget();
    this.status = 'loading';
    this.dispatchEvent(new events.ConnectLoadStartEvent());
    try {
      this.#session = new Session(serverOf(this, this.server), this.form);
      this.#opened = await this.#session.open(signal);
      if (signal.aborted) return;
      this.#reserve.hold();
      this.#draft = new GiftDraft(this.#opened.form, languageOf(this));
      this.#giving.begin(this.#session, this.#opened.form, this.form);
      await this.#comeBack();
      if (this.status === 'loading') this.status = 'ready';
      this.dispatchEvent(new events.ConnectReadyEvent());
      await this.updateComplete;
      await this.#giving.fetch().catch(() => {}); // Tried again when it is needed.
      this.requestUpdate();
    } catch (error) {
      if (signal.aborted) return;
      this.#reserve.hold();
      console.error(`<connect-donate form="${this.form ?? ''}">`, error);
      this.status = 'failed';
      this.dispatchEvent(new events.ConnectLoadErrorEvent(error));
    }
  };

  /** A bank led the donor away and back: the processor says what became of the gift. */
  async #comeBack() {
    const secret = findReturn(this.form);
    if (!secret) return;
    const giving = await this.#giving.get();
    const outcome = await giving.readBack(secret);
    if (outcome.kind !== 'unknown') forgetReturn();
    this.#settle(outcome);
  }

  /** The first act of a donor fetches the processor's script; nothing does before. */
  readonly #act = () => {
    if (this.status === 'ready' && this.#giving.card === 'idle') this.#loadCard();
  };

  readonly #loadCard = () => void this.#giving.loadCard(this.#amountCents);

  /** Pressed where the fields will be. */
  readonly #pressCard = () => {
    this.#act();
    void this.#giving.focusCard().catch(() => {}); // The card's own face tells.
  };

  readonly #choose = (cents: number) => {
    this.#draft.chosen = cents;
    this.#draft.other = '';
    this.#changed();
  };

  readonly #type = (field: 'other' | 'name' | 'email', text: string) => {
    this.#draft[field] = text;
    if (field === 'other') this.#draft.chosen = undefined;
    this.#changed();
  };

  get #amountCents(): number | undefined {
    return this.#draft.chosen ?? this.#giving.late?.amountOf(this.#draft);
  }

  #changed() {
    const found = this.#giving.late?.problemsOf(this.#draft) ?? {};
    const shown = Object.keys(this.problems) as Field[];
    // A problem leaves as soon as it is solved; a new one waits for Give.
    this.problems = Object.fromEntries(
      shown.filter((field) => found[field]).map((field) => [field, found[field]]),
    );
    this.requestUpdate();
    const amountCents = this.#amountCents;
    this.#giving.update(amountCents);
    const { currency } = this.#opened.form;
    const complete = !!this.#giving.late && Object.keys(found).length === 0;
    this.dispatchEvent(new events.ConnectChangeEvent({ amountCents, currency }, complete));
  }

  /**
   * What happens when the donor presses Give.
   *
   * 1. The server makes a payment intent: `server/routes/payment-intents.ts`.
   * 2. The processor takes the card in its own frame: `internal/card.ts`.
   * 3. The donation is recorded only when the processor reports it to
   *    `packages/api/src/routes/processor-events.ts`, never on our word.
   */
  readonly #give = async (event: SubmitEvent) => {
    event.preventDefault();
    if (this.status !== 'ready') return; // A second press must not charge twice.
    this.#act();
    this.status = 'giving';
    this.notice = undefined;
    try {
      const { problemsOf } = await this.#giving.fetch();
      this.problems = problemsOf(this.#draft);
      const gift = this.#draft.gift(this.#amountCents ?? 0);
      if (!this.#mayGive(gift.amount_cents)) return;
      const giving = await this.#giving.get();
      this.#settle(await giving.give(gift, this.#opening.signal, this.#wait));
    } catch (error) {
      this.#fail(error);
    }
  };

  /** The last look before anything is made; the page has its say, too. */
  #mayGive(amountCents: number): boolean {
    const { currency } = this.#opened.form;
    const complete = Object.keys(this.problems).length === 0;
    const may =
      complete &&
      navigator.onLine &&
      this.dispatchEvent(new events.ConnectConfirmEvent(amountCents, currency));
    if (may) return true;
    this.status = 'ready';
    if (!complete) this.#focus(FIRST_PROBLEM);
    else if (!navigator.onLine) this.#tell(texts.stillOffline);
    return false;
  }

  /** Shows what the processor says about the gift. */
  #settle(outcome: Outcome) {
    if ('reference' in outcome) return this.#thank(outcome);
    const text = this.#giving.late!.outcomeText(outcome);
    if (outcome.kind !== 'incomplete') {
      return this.#refuse(text, undefined, 'code' in outcome ? outcome.code : outcome.kind);
    }
    this.status = 'ready';
    if (this.#giving.card !== 'ready') return this.#focus('.blocked');
    this.notice = { text, tone: 'problem' };
    void this.#giving.focusCard();
  }

  #thank(outcome: Paid) {
    this.#giving.forget();
    const { amountCents, currency, reference, kind } = outcome;
    this.#thanks = {
      outcome,
      amount: this.#draft.money(amountCents),
      firstName: this.#draft.name.trim().split(/\s+/)[0] ?? '',
      organization: this.#opened.form.organization.name,
    };
    this.status = 'thanked';
    this.notice = undefined;
    const pending = kind === 'processing';
    this.dispatchEvent(new events.ConnectSuccessEvent(reference, amountCents, currency, pending));
    this.#focus('#title');
  }

  readonly #again = () => {
    this.status = 'ready';
    this.#focus('input');
  };

  /** The gift could not be started: nothing has been charged. */
  #fail(error: unknown) {
    const failure = this.#giving.late?.giftFailure(error) ?? { text: texts.unreachable };
    if (failure.field) this.problems = { [failure.field]: failure.text };
    this.#refuse(failure.text, error);
    if (failure.field) this.#focus(FIRST_PROBLEM);
  }

  #refuse(text: string, error?: unknown, code = '') {
    this.status = 'ready'; // What the donor typed stays typed.
    if (error) console.error('<connect-donate>', error);
    this.#tell(text);
    this.dispatchEvent(new events.ConnectErrorEvent(error, code));
  }

  #tell(text: string) {
    this.notice = { text, tone: 'problem' };
    this.#focus('#notice');
  }

  /** Waits where the donor can see it; short pauses need no words. */
  readonly #wait: Wait = async (seconds, why) => {
    if (why !== 'rate_limited') return pause(seconds);
    for (let left = seconds; left > 0; left -= 1) {
      this.notice = { text: texts.busy, tone: 'info', seconds: left };
      await pause(1);
    }
    this.notice = undefined;
  };

  /** Says when the line is gone, and goes on where it can when it is back. */
  readonly #lineChanged = () => {
    const online = navigator.onLine;
    if (online && this.status === 'failed') void this.#open();
    if (online && this.#giving.card === 'blocked') this.#loadCard();
    if (this.status !== 'ready') return;
    const text = online ? texts.backOnline : texts.stillOffline;
    this.notice = { text, tone: 'info' };
  };

  #focus(selector: string) {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(selector)?.focus(),
    );
  }
}

const LINE_EVENTS = ['online', 'offline'] as const;
const FIRST_PROBLEM = '.invalid input, [aria-invalid=true]';

declare global {
  interface HTMLElementTagNameMap {
    'connect-donate': ConnectDonate;
  }
}
