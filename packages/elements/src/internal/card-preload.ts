import type { CardLoadingMode } from '@connect-embed/contract';
import type { ReactiveController } from 'lit';
import type { FormContext } from './form-context.ts';

/** From the latest to the earliest time of loading. */
const CARD_LOADING_ORDER: readonly CardLoadingMode[] = ['interaction', 'visible', 'eager'];

/**
 * Loads Stripe's script before the donor interacts, if the form's terms allow it: when the form
 * becomes visible, or when it is drawn. docs/decisions/0015-card-fields-and-wallets.md
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

  /** Called after each render. `loadCard` does nothing if the card fields are already loaded. */
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

/**
 * The form's setting, or a later time that the `loading` attribute sets: the page cannot load
 * Stripe's script earlier than the form allows.
 */
function resolveCardLoading({ host, formSession }: FormContext): CardLoadingMode {
  const allowed = CARD_LOADING_ORDER.indexOf(formSession.form.terms.card_loading);
  const attribute = host.getAttribute('loading');
  const requestedIndex =
    attribute === null ? allowed : CARD_LOADING_ORDER.indexOf(attribute as CardLoadingMode);
  if (requestedIndex >= 0 && requestedIndex <= allowed) return CARD_LOADING_ORDER[requestedIndex]!;
  if (attribute !== null) {
    const allowedValues = CARD_LOADING_ORDER.slice(0, Math.max(allowed, 0) + 1).join(' or ');
    console.warn(
      `<${host.localName}> loading="${attribute}": must be ${allowedValues}, because of the form's card_loading setting.`,
    );
  }
  return CARD_LOADING_ORDER[Math.max(allowed, 0)]!;
}
