import { currencyDecimals } from '@connect-embed/contract/currency';
import type { ReactiveController } from 'lit';
import type { DefaultName, FormContext } from './form-context.ts';
import { warnOnce } from './resolve-server.ts';

const NAMES: readonly DefaultName[] = ['frequency', 'fund', 'amount', 'analytics'];

/**
 * Applies the element's `amount`, `frequency`, `fund` and `analytics` again when the page changes
 * them after the form is drawn.
 */
export class DefaultChanges implements ReactiveController {
  readonly #context: FormContext;
  readonly #notifyChange: () => void;

  constructor(context: FormContext, notifyChange: () => void) {
    this.#context = context;
    this.#notifyChange = notifyChange;
    context.host.addController(this);
  }

  hostUpdate() {
    if (this.#canApply) void this.#apply().catch(() => {}); // Tried again at the next update.
  }

  hostDisconnected() {}

  /** True after a change, except during a payment, whose amount must not change. */
  get #canApply() {
    const { appliedDefaults, host, signal, viewState } = this.#context;
    return (
      viewState.status !== 'giving' &&
      !signal.aborted &&
      NAMES.some((name) => `${host[name] ?? ''}`.trim() !== (appliedDefaults[name] ?? ''))
    );
  }

  async #apply() {
    const { applyAttributeDefaults } = await import('./lazy-features.ts');
    if (!this.#canApply) return;
    if (!applyAttributeDefaults(this.#context, { currencyDecimals, warnOnce })) return;
    this.#context.host.requestUpdate();
    this.#notifyChange();
  }
}
