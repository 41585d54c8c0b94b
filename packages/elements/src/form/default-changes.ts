import { currencyDecimals } from '@connect-embed/contract/currency';
import type { ReactiveController } from '../shared/connect-element.ts';
import type { DefaultName, FormContext } from './form-context.ts';
import { isEditable } from './is-editable.ts';
import { warnOnce } from '../shared/resolve-server.ts';

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
    if (this.#hasChanges) void this.#apply().catch(() => {}); // Tried again at the next update.
  }

  hostDisconnected() {}

  get #hasChanges() {
    const { appliedDefaults, host, signal } = this.#context;
    const isChanged = (name: DefaultName) =>
      `${host[name] ?? ''}`.trim() !== (appliedDefaults[name] ?? '') && this.#canApply(name);
    return !signal.aborted && NAMES.some(isChanged);
  }

  /** A donation changes only while its form is shown: not during a payment, nor after it. */
  readonly #canApply = (name: DefaultName) =>
    name === 'analytics' || isEditable(this.#context.viewState.state);

  async #apply() {
    const { applyAttributeDefaults } = await import('./lazy-features.ts');
    if (!this.#hasChanges) return;
    const deps = { currencyDecimals, warnOnce };
    if (!applyAttributeDefaults(this.#context, deps, this.#canApply)) return;
    this.#context.host.requestUpdate();
    this.#notifyChange();
  }
}
