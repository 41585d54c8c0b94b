import { importChunk } from '../shared/import-chunk.ts';
import type { DonationFlow } from './donation-flow.ts';
import type { FormContext } from './form-context.ts';
import { isPageExpired, renderPageExpired } from './load-error-view.ts';
import { StoredDraft } from './stored-draft.ts';

/** The methods of `DonationFlow` that the element calls. */
type FlowMethod = 'interact' | 'change' | 'submit' | 'focusPayment';

/**
 * Loads the code of a form's `DonationFlow`, which handles the donor's input and the payment, when the
 * donor first uses the form. Neither drawing nor a visitor who does not donate waits for it.
 */
export class FlowLoader {
  readonly #context: FormContext;
  readonly #storedDraft: StoredDraft;
  #loading: Promise<DonationFlow> | undefined;
  #flow: DonationFlow | undefined;
  /** Each input of the donor tries again, and would log the same error. */
  #hasLoggedError = false;

  constructor(context: FormContext) {
    this.#context = context;
    this.#storedDraft = new StoredDraft(context.server, context.name);
  }

  /** Stores the donor's input. It needs no flow, so that a reload keeps the input if none can be loaded. */
  saveInput() {
    this.#storedDraft.save(this.#context.draft.values);
  }

  /** Loads the flow for a donor who may use the form. If that fails, the next call tries again. */
  preload() {
    this.load().catch(() => {});
  }

  load(): Promise<DonationFlow> {
    return (this.#loading ??= this.#create());
  }

  /**
   * Calls a method of the flow, in the order of the donor's actions. While the flow is loading, the form
   * shows that it responds.
   */
  call(method: FlowMethod) {
    if (!this.#flow) this.#showLoading(method);
    this.load().then(
      (flow) => this.#callMethod(flow, method),
      (error: unknown) => this.#showFailed(method, error),
    );
  }

  async #callMethod(flow: DonationFlow, method: FlowMethod) {
    try {
      await flow[method]();
    } catch (error) {
      console.error('<connect-donate>', error);
    }
  }

  /** Called when the element opens another form. */
  close() {
    this.#flow?.close();
  }

  async #create(): Promise<DonationFlow> {
    try {
      const { DonationFlow } = await importChunk(() => import('./donation-flow.ts'));
      this.#context.signal.throwIfAborted();
      return (this.#flow = new DonationFlow(this.#context));
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  #showLoading(method: FlowMethod) {
    const { language, setViewState } = this.#context;
    const { connecting } = language.messages;
    if (method === 'submit') setViewState({ buttonStatus: connecting, announcement: connecting });
    if (method === 'interact' || method === 'focusPayment')
      setViewState({ paymentFields: 'loading' });
  }

  #showFailed(method: FlowMethod, error: unknown) {
    const { language, setViewState, signal } = this.#context;
    if (signal.aborted) return;
    if (!this.#hasLoggedError) console.error('<connect-donate>', error);
    this.#hasLoggedError = true;
    const { loadFailedHint } = language.messages;
    setViewState({ buttonStatus: '', paymentFields: 'idle' });
    if (isPageExpired(error)) setViewState({ banner: renderPageExpired(language.messages) });
    else if (method === 'submit')
      setViewState({ banner: loadFailedHint, announcement: loadFailedHint });
  }
}
