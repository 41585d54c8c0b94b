import type { CardLoadingMode } from '@connect-embed/contract';
import type { ReactiveController } from 'lit';
import type { FormContext } from './form-context.ts';

/** The most reserved first. */
const CARD_LOADING_ORDER: readonly CardLoadingMode[] = ['interaction', 'visible', 'eager'];

/**
 * Fetches the processor's script before the donor acts, where the form's terms say so: as soon as
 * the form is in view, or drawn. docs/decisions/0054-third-parties.md
 */
export class CardPreloader implements ReactiveController {
  readonly #context: FormContext;
  readonly #loadCard: () => void;
  readonly #cardLoading: CardLoadingMode;
  readonly #visibilityObserver = new IntersectionObserver((entries) =>
    this.#handleIntersection(entries),
  );
  #isDue: boolean;

  constructor(context: FormContext, loadCard: () => void) {
    this.#context = context;
    this.#loadCard = loadCard;
    this.#cardLoading = resolveCardLoading(context);
    this.#isDue = this.#cardLoading === 'eager';
    context.host.addController(this);
    if (this.#isDue) context.host.requestUpdate();
  }

  hostConnected() {
    const frame = this.#context.host.renderRoot.querySelector('.frame');
    if (frame && this.#cardLoading === 'visible' && !this.#isDue)
      this.#visibilityObserver.observe(frame);
  }

  hostDisconnected() {
    this.#visibilityObserver.disconnect();
  }

  /** Whenever the form can be used and its card is not there. */
  hostUpdated() {
    if (this.#isDue) this.#loadCard();
  }

  #handleIntersection(entries: IntersectionObserverEntry[]) {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.#isDue = true;
    this.#visibilityObserver.disconnect();
    this.#loadCard();
  }
}

/** The form's own moment, or a later one that the page asks for: a page widens nothing. */
function resolveCardLoading({ host, formSession }: FormContext): CardLoadingMode {
  const allowed = CARD_LOADING_ORDER.indexOf(formSession.form.terms.card_loading);
  const attribute = host.getAttribute('loading');
  const requestedIndex =
    attribute === null ? allowed : CARD_LOADING_ORDER.indexOf(attribute as CardLoadingMode);
  if (requestedIndex >= 0 && requestedIndex <= allowed) return CARD_LOADING_ORDER[requestedIndex]!;
  if (attribute !== null) {
    const allowedValues = CARD_LOADING_ORDER.slice(0, Math.max(allowed, 0) + 1).join(' or ');
    console.warn(
      `<${host.localName}> loading="${attribute}": must be ${allowedValues}; the form says no more.`,
    );
  }
  return CARD_LOADING_ORDER[Math.max(allowed, 0)]!;
}
