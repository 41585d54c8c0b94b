import type { ReactiveController } from 'lit';
import type { CardLoadingMode } from '@connect-embed/contract';
import type { FormContext } from './form-context.ts';
import { warnOnce } from '../shared/warn-once.ts';

/** From the latest to the earliest time of loading. */
const CARD_LOADING_ORDER: readonly CardLoadingMode[] = ['interaction', 'visible', 'eager'];

/**
 * Loads Stripe's script before the donor interacts, if the form's terms allow it: when the form
 * becomes visible, or when it is drawn. docs/decisions/0015-card-fields-and-wallets.md
 */
export class PaymentFieldsPreloader implements ReactiveController {
  readonly #context: FormContext;
  readonly #loadPaymentFields: () => void;
  readonly #visibilityObserver = new IntersectionObserver((entries) =>
    this.#handleIntersection(entries),
  );
  /** The `loading` property as of the latest update. */
  #requestedMode: string | null | undefined;
  #mode: CardLoadingMode = 'interaction';
  /** True once the form has been visible. */
  #isDue = false;

  constructor(context: FormContext, loadPaymentFields: () => void) {
    this.#context = context;
    this.#loadPaymentFields = loadPaymentFields;
    context.host.addController(this);
  }

  hostConnected() {
    this.#applyMode();
  }

  hostDisconnected() {
    this.#visibilityObserver.disconnect();
  }

  /** Called after each render. `loadPaymentFields` does nothing if the payment fields are already loaded. */
  hostUpdated() {
    const { host } = this.#context;
    if (host.loading !== this.#requestedMode) this.#applyMode();
    const frame = host.renderRoot.querySelector('.frame');
    // Has no effect while the frame is observed.
    if (frame && this.#mode === 'visible' && !this.#isDue) this.#visibilityObserver.observe(frame);
    if (this.#mode === 'eager' || this.#isDue) this.#loadPaymentFields();
  }

  #applyMode() {
    const { host } = this.#context;
    this.#requestedMode = host.loading;
    this.#mode = resolveCardLoading(this.#context);
    this.#visibilityObserver.disconnect();
    host.requestUpdate();
  }

  #handleIntersection(entries: IntersectionObserverEntry[]) {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.#isDue = true;
    this.#visibilityObserver.disconnect();
    this.#loadPaymentFields();
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
