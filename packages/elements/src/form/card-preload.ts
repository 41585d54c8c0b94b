import type { CardLoadingMode } from '@connect-embed/contract';
import type { ReactiveController } from '../shared/connect-element.ts';
import type { FormContext } from './form-context.ts';
import { warnOnce } from '../shared/resolve-server.ts';

/** From the latest to the earliest time of loading. */
const CARD_LOADING_ORDER: readonly CardLoadingMode[] = ['interaction', 'visible', 'eager'];

/**
 * Loads Stripe's script before the donor interacts, if the form's terms allow it: when the form
 * becomes visible, or when it is drawn. docs/decisions/0015-card-fields-and-wallets.md
 */
export class CardPreloader implements ReactiveController {
  readonly #context: FormContext;
  readonly #loadCard: () => void;
  readonly #visibilityObserver = new IntersectionObserver((entries) =>
    this.#handleIntersection(entries),
  );
  /** The `loading` property as of the latest update. */
  #requestedMode: string | null | undefined;
  #isDue = false;

  constructor(context: FormContext, loadCard: () => void) {
    this.#context = context;
    this.#loadCard = loadCard;
    context.host.addController(this);
  }

  hostConnected() {
    const { host } = this.#context;
    this.#requestedMode = host.loading;
    const mode = resolveCardLoading(this.#context);
    this.#visibilityObserver.disconnect();
    const frame = host.renderRoot.querySelector('.frame');
    if (mode === 'eager') {
      this.#isDue = true;
      host.requestUpdate();
    } else if (frame && mode === 'visible') this.#visibilityObserver.observe(frame);
  }

  hostDisconnected() {
    this.#visibilityObserver.disconnect();
  }

  /** Called after each render. `loadCard` does nothing if the card fields are already loaded. */
  hostUpdated() {
    if (this.#context.host.loading !== this.#requestedMode) this.hostConnected();
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
 * The form's setting, or a later time that the `loading` property sets: the page cannot load
 * Stripe's script earlier than the form allows.
 */
function resolveCardLoading({ host, draft }: FormContext): CardLoadingMode {
  const allowed = CARD_LOADING_ORDER.indexOf(draft.form.terms.card_loading);
  const requested = host.loading;
  const requestedIndex = requested
    ? CARD_LOADING_ORDER.indexOf(requested as CardLoadingMode)
    : allowed;
  if (requestedIndex >= 0 && requestedIndex <= allowed) return CARD_LOADING_ORDER[requestedIndex]!;
  if (requested) {
    const allowedValues = CARD_LOADING_ORDER.slice(0, Math.max(allowed, 0) + 1).join(' or ');
    const reason = `${allowedValues}, because of the form's card_loading setting`;
    warnOnce(host, 'loading', requested, reason);
  }
  return CARD_LOADING_ORDER[Math.max(allowed, 0)]!;
}
