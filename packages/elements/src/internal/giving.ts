import type { ReactiveController } from 'lit';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../gift-events.ts';
import { Card } from './card.ts';
import { EarlyCard } from './card-loading.ts';
import { giftOf, problemsOf, readAmount, trappedIn } from './gift-check.ts';
import { waitInSight } from './giving-wait.ts';
import { LateWords } from './late-words.ts';
import { focusIn, ShownProblems } from './shown-problems.ts';
import { findReturn, forgetReturn } from './gift-return.ts';
import { givingStyles } from './giving.styles.ts';
import { fill } from './fill.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import { giftFailure, outcomeText, wordsOf } from './messages/give.ts';
import { renderBlocked, renderInfo } from './notice-face.ts';
import { renderProblemNotice } from './donate-view.ts';
import type { CardStatus, OpenedForm } from './opened-form.ts';
import type { Outcome } from './outcome.ts';
import { tellSlips } from './owner-slips.ts';
import { Payment } from './payment.ts';
import type { Wait } from './session.ts';
import { Thanking } from './thanking.ts';
import { prefillFromUrl } from './url-prefill.ts';

/**
 * Everything that comes after the form is drawn: what a donor does, and what becomes of it.
 *
 * A file of its own that the form fetches once it is drawn, so that drawing does not wait for it.
 */
export class Giving implements ReactiveController {
  readonly #opened: OpenedForm;
  readonly #card: Card;
  readonly #early: EarlyCard;
  readonly #late: LateWords;
  readonly #payment: Payment;
  readonly #thanking: Thanking;
  readonly #problems: ShownProblems;
  readonly #wait: Wait;
  /** Counts the tries of this page, so that a late answer knows that it is late. */
  #round = 0;
  /** The words in which it is said. */
  #said: DonateTexts;

  constructor(opened: OpenedForm) {
    this.#opened = opened;
    const { host, slot, answer } = opened;
    this.#said = opened.draft.texts;
    const sheets = host.shadowRoot!.adoptedStyleSheets;
    const sheet = givingStyles.styleSheet!;
    if (!sheets.includes(sheet)) sheets.push(sheet);
    const language = () => opened.draft.wording.words;
    this.#card = new Card({ host, slot, changed: this.#cardChanged, language }, answer.form);
    this.#payment = new Payment(opened, this.#card);
    this.#thanking = new Thanking(opened, this.#payment.records, this.#again);
    this.#problems = new ShownProblems(opened);
    this.#wait = waitInSight(opened);
    tellSlips(host);
    host.addController(this);
    this.#early = new EarlyCard(opened, () => this.act());
    this.#late = new LateWords(opened);
  }

  hostConnected() {
    for (const type of LINE_EVENTS) window.addEventListener(type, this.#lineChanged);
    window.addEventListener('pageshow', this.#shownAgain);
  }

  hostDisconnected() {
    for (const type of LINE_EVENTS) window.removeEventListener(type, this.#lineChanged);
    window.removeEventListener('pageshow', this.#shownAgain);
  }

  /** The words are others now: says again what is said. */
  hostUpdate() {
    const { texts } = this.#opened.draft;
    if (texts === this.#said) return;
    this.#said = texts;
    this.#card.translate();
    const { face, show } = this.#opened;
    if (this.#card.status === 'blocked') this.#cardChanged('blocked');
    const { paid } = this.#payment.records.own ?? {};
    if (face.status === 'done' && paid) this.#thanking.show(paid);
    if (Object.keys(face.problems).length) this.#problems.update(problemsOf(this.#opened.draft));
    else if (face.status !== 'giving') show({ notice: undefined });
  }

  /** Another form takes this one's place. */
  close() {
    const { host } = this.#opened;
    for (const part of [this, this.#early, this.#late]) {
      host.removeController(part);
      part.hostDisconnected();
    }
    this.#card.remove();
  }

  /** Before the form is drawn: what the address says, and what became of an earlier gift. */
  async resume() {
    const { draft, name } = this.#opened;
    const parameters = new URLSearchParams(location.search);
    prefillFromUrl(draft, parameters);
    const secret = findReturn(name);
    const record = this.#payment.records.own;
    if (record?.values) draft.set(record.values);
    draft.written = readAmount(draft).cents;
    if (record?.paid && !secret) return this.#thanking.show(record.paid);
    const outcome = record && !record.paid ? await this.#payment.takeUp(record) : undefined;
    const told = secret && secret !== record?.intent?.client_secret;
    const latest = told ? await this.#payment.readBack(secret) : outcome;
    if (secret && latest?.kind !== 'unknown') forgetReturn();
    if (latest) this.#settle(latest);
    else if (record?.values) this.#inform(this.#texts.resumed);
  }

  /** The first act of a donor fetches the processor's script; nothing does before, unless asked to. */
  act() {
    if (this.#opened.face.status === 'ready' && this.#card.status === 'idle') this.#loadCard();
  }

  /** Pressed where the fields will be: the focus goes to them, or to why they cannot be had. */
  async pressCard() {
    this.act();
    const drawn = await this.#card.whenDrawn();
    const { activeElement } = this.#opened.host.shadowRoot!;
    if (activeElement?.matches('input, select, textarea')) return; // The donor went on there.
    if (drawn) this.#card.focus();
    else focusIn(this.#opened, '.blocked');
  }

  /** The donor chose or typed something. */
  changed() {
    const { draft, host } = this.#opened;
    draft.written = readAmount(draft).cents;
    const found = problemsOf(draft);
    this.#problems.update(found);
    this.#card.update(this.#sum);
    const { currency } = draft.form;
    const change = { amountCents: draft.totalCents, currency };
    host.dispatchEvent(new ConnectChangeEvent(change, Object.keys(found).length === 0));
  }

  /**
   * What happens when the donor presses Give.
   *
   * 1. The server makes a payment intent: `server/routes/payment-intents.ts`.
   * 2. The processor takes the card in its own frame: `internal/card.ts`.
   * 3. The donation is recorded only when the processor reports it to
   *    `packages/api/src/routes/processor-events.ts`, never on our word.
   */
  async give() {
    const { draft, face, host, show, signal } = this.#opened;
    if (face.status !== 'ready') return; // A second press must not charge twice.
    this.act();
    draft.written = readAmount(draft).cents;
    if (!this.#mayGive()) return;
    const busy = fill(this.#texts.giving, { amount: draft.money(draft.totalCents ?? 0) });
    show({ status: 'giving', busy, spoken: this.#texts.pleaseWait, notice: undefined });
    const round = ++this.#round;
    try {
      const outcome = await this.#payment.give({
        gift: { ...giftOf(draft), ...trappedIn(host) },
        values: { ...draft.values },
        wait: this.#wait,
        onWait: () =>
          show({ notice: renderInfo(this.#texts.elsewhere), spoken: this.#texts.elsewhere }),
      });
      if (round === this.#round) this.#settle(outcome);
    } catch (error) {
      if (round === this.#round && !signal.aborted) this.#fail(error);
    }
  }

  /** The last look before anything is made; the page has its say, too. */
  #mayGive(): boolean {
    const { draft, host, show } = this.#opened;
    const problems = problemsOf(draft);
    show({ problems });
    if (Object.keys(problems).length) {
      this.#turn();
      this.#tell(this.#problems.summaryOf(this.#opened.face.problems));
      return false;
    }
    if (!navigator.onLine) {
      this.#tell(renderProblemNotice(this.#texts.stillOffline));
      return false;
    }
    const { currency } = draft.form;
    return host.dispatchEvent(new ConnectConfirmEvent(draft.totalCents ?? 0, currency));
  }

  /** Shows what the processor says about the gift. */
  #settle(outcome: Outcome) {
    this.#turn();
    if ('reference' in outcome) {
      this.#card.clear();
      return this.#thanking.thank(outcome);
    }
    const text = outcomeText(outcome, this.#texts, (cents) => this.#opened.draft.money(cents));
    if (outcome.kind !== 'incomplete') {
      const code = 'code' in outcome ? outcome.code : outcome.kind;
      return this.#refuse(text, undefined, code);
    }
    const blocked = this.#card.status === 'blocked';
    this.#opened.show({ ...READY, notice: blocked ? undefined : renderProblemNotice(text) });
    if (blocked) return focusIn(this.#opened, '.blocked'); // It says all that can be done.
    void this.#opened.host.updateComplete.then(() => this.#card.focus()); // No longer inert.
  }

  /** The next gift starts with an empty card and a new key. */
  readonly #again = () => {
    this.#payment.records.own = undefined;
    this.#opened.show({ ...READY, thanks: undefined });
    focusIn(this.#opened, 'input');
  };

  /** The gift could not be started: nothing has been charged. */
  #fail(error: unknown) {
    this.#turn();
    const { text, field } = giftFailure(error, this.#texts);
    const problems = field ? { [field]: text } : {};
    this.#opened.show({ problems });
    this.#refuse(field ? this.#problems.summaryOf(problems) : text, error);
  }

  #refuse(content: unknown, error?: unknown, code = '') {
    const { host, show } = this.#opened;
    show(READY); // What the donor typed stays typed.
    // A donor who goes back from a check has done nothing wrong, and neither has the owner.
    const left = (error as Error | undefined)?.name === 'AbortError';
    if (error && !left) console.error('<connect-donate>', error);
    this.#tell(typeof content === 'string' ? renderProblemNotice(content) : content);
    host.dispatchEvent(new ConnectErrorEvent(error, code));
  }

  /** Before anything is said of a press of Give. */
  #turn() {
    this.#late.take();
    this.hostUpdate();
  }

  #tell(notice: unknown) {
    this.#opened.show({ notice: notice as ReturnType<typeof renderInfo> });
    focusIn(this.#opened, '#notice');
  }

  /** Told by the screen and, once, by voice; the focus stays where it is. */
  #inform(text: string) {
    this.#opened.show({ notice: renderInfo(text), spoken: text });
  }

  get #texts() {
    return wordsOf(this.#opened.draft);
  }

  get #sum() {
    const { totalCents, values } = this.#opened.draft;
    return { amountCents: totalCents, frequency: values.frequency };
  }

  readonly #loadCard = () => this.#card.load(this.#sum);

  readonly #retryCard = () => (this.#loadCard(), this.pressCard());

  readonly #cardChanged = (card: CardStatus) => {
    const { show, answer, face } = this.#opened;
    const blocked =
      card === 'blocked'
        ? renderBlocked(this.#texts, answer.embed_url, this.#retryCard)
        : undefined;
    const spoken = card === 'loading' ? this.#texts.loadingCard : '';
    show({ card, blocked, ...(face.status === 'ready' && { spoken }) });
  };

  /** Says when the line is gone, and goes on where it can when it is back. */
  readonly #lineChanged = async () => {
    const online = navigator.onLine;
    if (online && this.#card.status === 'blocked') this.#loadCard();
    if (this.#opened.face.status !== 'ready') return;
    this.#inform(online ? this.#texts.backOnline : this.#texts.stillOffline);
    const outcome = online ? await this.#payment.look() : undefined;
    if (outcome && this.#opened.face.status === 'ready') this.#settle(outcome);
  };

  /** The browser shows the page as it was left, on the way to a bank: what is true now? */
  readonly #shownAgain = async (event: PageTransitionEvent) => {
    if (!event.persisted || this.#opened.face.status !== 'giving') return;
    const told = this.#payment.comeBack();
    if (!told) return; // Nothing was charged yet: the press goes on, or fails, by itself.
    const round = ++this.#round;
    const outcome = await told;
    if (round === this.#round) this.#settle(outcome);
  };
}

const LINE_EVENTS = ['online', 'offline'] as const;
const READY = { status: 'ready', busy: '', spoken: '', notice: undefined } as const;
