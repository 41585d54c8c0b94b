import type { ReactiveController } from 'lit';
import { ConnectChangeEvent, ConnectConfirmEvent, ConnectErrorEvent } from '../gift-events.ts';
import { Card } from './card.ts';
import { EarlyCard } from './card-loading.ts';
import { CardLoadingView, SLOW_MS } from './card-loading-view.ts';
import { giftOf, problemsOf, readAmount, trappedIn } from './gift-check.ts';
import type { Problems } from './gift-draft.ts';
import { waitInSight } from './giving-wait.ts';
import { LateWords } from './late-words.ts';
import { focusIn, ShownProblems } from './shown-problems.ts';
import { findReturn, forgetReturn } from './gift-return.ts';
import { givingStyles } from './giving.styles.ts';
import { fill } from './fill.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import { giftFailure, outcomeText, wordsOf } from './messages/give.ts';
import { renderFocusedInfo, renderInfo, trap } from './notice-face.ts';
import { renderProblemNotice } from './donate-view.ts';
import type { OpenedForm } from './opened-form.ts';
import type { Outcome } from './outcome.ts';
import { tellSlips } from './owner-slips.ts';
import { draftMonthly } from './monthly.ts';
import { Payment } from './payment.ts';
import { Reconnection } from './reconnection.ts';
import type { Wait } from './session.ts';
import { Wallet } from './wallet.ts';
import { StoredDraft } from './stored-draft.ts';
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
  readonly #wallet: Wallet;
  readonly #cardView: CardLoadingView;
  readonly #early: EarlyCard;
  readonly #late: LateWords;
  readonly #reconnection: Reconnection;
  readonly #payment: Payment;
  readonly #thanking: Thanking;
  readonly #problems: ShownProblems;
  readonly #stored: StoredDraft;
  readonly #wait: Wait;
  #slow: ReturnType<typeof setTimeout> | undefined;
  /** Counts the tries of this page, so that a late answer knows that it is late. */
  #round = 0;
  /** The latest piece of information that is no problem. */
  #info: { notice: ReturnType<typeof renderInfo>; spoken: string } | undefined;
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
    this.#cardView = new CardLoadingView(opened, {
      retry: this.#retryCard,
      still: () => (opened.face.notice === this.#info?.notice && this.#info?.spoken) || '',
    });
    this.#card = new Card(
      { host, slot, changed: this.#cardView.show, completed: this.#cardCompleted, language },
      answer.form,
    );
    this.#wallet = this.#card.wallet = new Wallet(opened, {
      mayOpen: () => this.#mayOpenWallet(),
      whenUpdated: () => this.#card.whenUpdated(),
      pay: () => this.#pay(),
    });
    this.#payment = new Payment(opened, this.#card);
    this.#thanking = new Thanking(opened, this.#payment.records, {
      again: () => this.#again(),
      monthly: () => this.#makeMonthly(),
    });
    this.#problems = new ShownProblems(opened, this.#card, () => void this.#goToCard());
    this.#stored = new StoredDraft(opened.session.server, opened.name);
    this.#wait = waitInSight(opened);
    opened.show({ trap });
    tellSlips(host);
    host.addController(this);
    this.#early = new EarlyCard(opened, () => this.act());
    this.#late = new LateWords(opened);
    this.#reconnection = new Reconnection(opened, this.#payment, {
      retryCard: () => this.#card.status === 'blocked' && this.#loadCard(),
      inform: (text) => this.#inform(text),
      settle: (outcome) => this.#settle(outcome),
      begin: () => ++this.#round,
      isLatest: (round) => round === this.#round,
    });
  }

  hostDisconnected() {
    this.#cardView.stop();
  }

  /** The words are others now: says again what is said. */
  hostUpdate() {
    const { texts } = this.#opened.draft;
    if (texts === this.#said) return;
    this.#said = texts;
    this.#card.translate();
    const { face, show } = this.#opened;
    if (this.#card.status === 'blocked') this.#cardView.show('blocked');
    const { paid } = this.#payment.records.own ?? {};
    if (face.status === 'done' && paid) this.#thanking.show(paid);
    if (Object.keys(face.problems).length) this.#problems.update();
    else if (face.status !== 'giving') show({ notice: undefined });
  }

  /** Another form takes this one's place. */
  close() {
    const { host } = this.#opened;
    for (const part of [this, this.#early, this.#late, this.#reconnection]) {
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
    this.#stored.restore(draft);
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
    this.#focusCard(drawn);
  }

  /** From the list of what is missing. */
  async #goToCard() {
    this.act();
    this.#focusCard(await this.#card.whenDrawn());
  }

  #focusCard(drawn: boolean) {
    if (drawn) this.#card.focus();
    else focusIn(this.#opened, '.blocked');
  }

  /** The donor chose or typed something. */
  changed() {
    const { draft, host } = this.#opened;
    // Below what the donor is choosing: nothing above it moves, and the move answers an input.
    if (host.shadowRoot!.activeElement?.matches('[type=radio], #fund')) this.#wallet.show();
    draft.written = readAmount(draft).cents;
    this.#stored.save(draft.values);
    const found = problemsOf(draft);
    this.#problems.update();
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
    const { draft, face } = this.#opened;
    if (face.status !== 'ready') return; // A second press must not charge twice.
    this.act();
    draft.written = readAmount(draft).cents;
    // A card alone that lacks something is told by the processor's own fields: `Card.submit`.
    if (!this.#mayGive(Object.keys(problemsOf(draft)).length ? this.#problems.found : {})) return;
    if (this.#card.status !== 'ready') return this.#waitForCard();
    await this.#pay();
  }

  /** A wallet brings name and email itself: only the amount must be right before its sheet opens. */
  #mayOpenWallet(): boolean {
    const { draft, face } = this.#opened;
    draft.written = readAmount(draft).cents;
    const { amount } = readAmount(draft);
    return face.status === 'ready' && this.#mayGive(amount ? { amount } : {});
  }

  /** Takes the donation by card or by wallet; true when the processor has taken it. */
  async #pay(): Promise<boolean> {
    const { draft, face, host, show, signal } = this.#opened;
    const problems = problemsOf(draft);
    if (face.status !== 'ready') return false;
    if (Object.keys(problems).length) return this.#mayGive(problems);
    const texts = this.#texts;
    show({
      status: 'giving',
      busy: fill(texts.giving, { amount: draft.money(draft.totalCents ?? 0) }),
      step: texts.connecting,
      spoken: texts.pleaseWait,
      notice: undefined,
    });
    this.#slow = setTimeout(() => {
      const { stillWorking } = this.#texts;
      if (this.#opened.face.step === texts.connecting)
        show({ step: stillWorking, spoken: stillWorking });
    }, SLOW_MS);
    const round = ++this.#round;
    try {
      const outcome = await this.#payment.give({
        gift: { ...giftOf(draft), ...trappedIn(host) },
        values: { ...draft.values },
        wait: this.#wait,
        onConfirm: () => show({ step: this.#texts.pleaseWait }),
        onWait: () =>
          show({ notice: renderInfo(this.#texts.elsewhere), spoken: this.#texts.elsewhere }),
      });
      if (round === this.#round) this.#settle(outcome);
      return 'reference' in outcome;
    } catch (error) {
      if (round === this.#round && !signal.aborted) this.#fail(error);
      return false;
    }
  }

  /** Nothing can be paid before the card's fields are there: the form stays usable meanwhile. */
  async #waitForCard() {
    const { waitingForCard } = this.#texts;
    this.#opened.show({ busy: waitingForCard, spoken: waitingForCard, notice: undefined });
    await this.#card.whenDrawn();
    if (this.#opened.face.busy !== waitingForCard) return; // Another press has answered already.
    this.#settle({ kind: 'incomplete' });
  }

  /** The last look before anything is made; the page has its say, too. */
  #mayGive(problems: Problems): boolean {
    const { draft, host, show } = this.#opened;
    show({ problems, busy: '', spoken: '' });
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
      this.#stored.clear();
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
  #again() {
    this.#payment.records.own = undefined;
    this.#opened.show({ ...READY, thanks: undefined });
    focusIn(this.#opened, 'input');
  }

  /**
   * The same gift every month, as a draft: nothing is charged before the donor presses Give. The
   * first payment is made then, and the form says so.
   */
  #makeMonthly() {
    const text = draftMonthly(this.#opened.draft, this.#payment.records.own!.paid!);
    this.#again();
    this.changed();
    this.#tell(renderFocusedInfo(text));
  }

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
    clearTimeout(this.#slow);
    this.#late.take();
    this.hostUpdate();
  }

  #tell(notice: unknown) {
    this.#opened.show({ notice: notice as ReturnType<typeof renderInfo>, spoken: '' });
    focusIn(this.#opened, '#notice');
  }

  /** Told by the screen and, once, by voice; the focus stays where it is. */
  #inform(text: string) {
    this.#info = { notice: renderInfo(text), spoken: text };
    this.#opened.show(this.#info);
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

  readonly #cardCompleted = () => {
    if (this.#opened.face.problems.card) this.#problems.update();
  };
}

const READY = { status: 'ready', busy: '', step: '', spoken: '', notice: undefined } as const;
