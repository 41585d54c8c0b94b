import { html, nothing, type ReactiveController } from 'lit';
import { optionsFor, widgetsOf, type Provider, type Widgets } from './check-provider.ts';
import { wordsOf } from './messages/give.ts';
import { MountPoint } from './mount-point.ts';
import type { OpenedForm } from './opened-form.ts';
import { focusIn } from './shown-problems.ts';

/** What the donor is told above the widget. */
type Says = 'checkPerson' | 'checkExpired' | 'checkFailed';

/**
 * Somebody else's check that a donor is a person, shown above Give, where the donor is.
 *
 * The widget stands in the page's light DOM like the card's fields, for it may refuse a shadow root.
 * A file of its own: only a server that says so in its configuration asks for it.
 * docs/decisions/0054-third-parties.md
 */
export class HumanCheck implements ReactiveController {
  readonly #opened: OpenedForm;
  readonly #provider: Provider;
  readonly #siteKey: string;
  readonly #place: MountPoint;
  #widgets: Widgets | undefined;
  #widget: string | undefined;
  #settle: { done: (token: string) => void; left: (reason: unknown) => void } | undefined;

  constructor(opened: OpenedForm, provider: Provider, siteKey: string) {
    this.#opened = opened;
    this.#provider = provider;
    this.#siteKey = siteKey;
    this.#place = new MountPoint(`${opened.slot}-check`);
  }

  /**
   * The provider's word for this donor, good for one try.
   *
   * @throws {DOMException} `AbortError` when the donor goes back to the form, or it is gone
   */
  async token(): Promise<string> {
    const { host, signal, show } = this.#opened;
    const token = new Promise<string>((done, left) => (this.#settle = { done, left }));
    signal.addEventListener('abort', this.#leave);
    host.addController(this);
    try {
      void this.#begin();
      return await token;
    } finally {
      signal.removeEventListener('abort', this.#leave);
      host.removeController(this);
      this.#takeAway();
      show({ notice: undefined, spoken: wordsOf(this.#opened.draft).pleaseWait });
    }
  }

  /** Moved or removed: a moved frame is an empty one. */
  hostDisconnected() {
    this.#leave();
  }

  readonly #begin = async () => {
    this.#say('checkPerson');
    try {
      this.#widgets = await widgetsOf(this.#provider);
      await this.#opened.host.updateComplete;
      if (this.#settle) this.#draw(this.#widgets);
    } catch (error) {
      console.error(error);
      this.#say('checkFailed');
    }
  };

  #draw(widgets: Widgets) {
    this.#takeAway();
    this.#place.attach(this.#opened.host);
    const { draft } = this.#opened;
    const { div: place } = this.#place;
    const asked = { siteKey: this.#siteKey, language: draft.wording.words, place };
    this.#widget = widgets.render(
      place,
      optionsFor(this.#provider, asked, {
        done: (token) => this.#settle?.done(token),
        expired: () => (this.#say('checkExpired'), this.#reset()),
        failed: () => this.#say('checkFailed'),
      }),
    );
  }

  #reset() {
    if (this.#widget !== undefined) this.#widgets?.reset(this.#widget);
  }

  #takeAway() {
    if (this.#widget !== undefined) this.#widgets?.remove(this.#widget);
    this.#widget = undefined;
    this.#place.detach();
  }

  readonly #leave = () => {
    this.#settle?.left(new DOMException('The check was left.', 'AbortError'));
    this.#settle = undefined;
  };

  #say(what: Says) {
    const { draft, answer, show, slot } = this.#opened;
    const texts = wordsOf(draft);
    const failed = what === 'checkFailed';
    const ways = failed
      ? html`<button type="button" class="quiet" @click=${this.#begin}>${texts.retry}</button>
          <a href=${answer.embed_url} target="_blank" rel="noopener">${texts.hostedPage}</a>`
      : nothing;
    show({
      spoken: what === 'checkExpired' ? texts[what] : '', // The others take the focus.
      notice: html`<div
        class=${failed ? 'notice person bad' : 'notice person'}
        id="notice"
        role="group"
        aria-labelledby="check"
        tabindex="-1"
        part="notice"
      >
        <strong id="check">${texts[what]}</strong>
        <slot name="${slot}-check" ?hidden=${failed}></slot>
        <p class="actions">
          ${ways}
          <button type="button" class="quiet" @click=${this.#leave}>${texts.checkBack}</button>
        </p>
      </div>`,
    });
    if (what !== 'checkExpired') focusIn(this.#opened, '#notice');
  }
}
