import type { CardLoadingMode } from '@connect-embed/contract';
import type { ReactiveController } from 'lit';
import type { OpenedForm } from './opened-form.ts';

/** The most reserved first. */
const MOMENTS: readonly CardLoadingMode[] = ['interaction', 'visible', 'eager'];

/**
 * Fetches the processor's script before the donor acts, where the form's terms say so: as soon as
 * the form is in view, or drawn. docs/decisions/0054-third-parties.md
 */
export class EarlyCard implements ReactiveController {
  readonly #opened: OpenedForm;
  readonly #act: () => void;
  readonly #moment: CardLoadingMode;
  readonly #view = new IntersectionObserver((entries) => this.#look(entries));
  #due: boolean;

  constructor(opened: OpenedForm, act: () => void) {
    this.#opened = opened;
    this.#act = act;
    this.#moment = momentOf(opened);
    this.#due = this.#moment === 'eager';
    opened.host.addController(this);
    if (this.#due) opened.host.requestUpdate();
  }

  hostConnected() {
    const frame = this.#opened.host.renderRoot.querySelector('.frame');
    if (frame && this.#moment === 'visible' && !this.#due) this.#view.observe(frame);
  }

  hostDisconnected() {
    this.#view.disconnect();
  }

  /** Whenever the form can be used and its card is not there. */
  hostUpdated() {
    if (this.#due) this.#act();
  }

  #look(entries: IntersectionObserverEntry[]) {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.#due = true;
    this.#view.disconnect();
    this.#act();
  }
}

/** The form's own moment, or a later one that the page asks for: a page widens nothing. */
function momentOf({ host, answer }: OpenedForm): CardLoadingMode {
  const allowed = MOMENTS.indexOf(answer.form.terms.card_loading);
  const said = host.getAttribute('loading');
  const asked = said === null ? allowed : MOMENTS.indexOf(said as CardLoadingMode);
  if (asked >= 0 && asked <= allowed) return MOMENTS[asked]!;
  if (said !== null) {
    const may = MOMENTS.slice(0, Math.max(allowed, 0) + 1).join(' or ');
    console.warn(`<${host.localName}> loading="${said}": must be ${may}; the form says no more.`);
  }
  return MOMENTS[Math.max(allowed, 0)]!;
}
