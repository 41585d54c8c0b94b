import { html, nothing, type ReactiveController } from 'lit';
import {
  widgetOptions,
  loadCaptchaApi,
  type CaptchaProvider,
  type CaptchaApi,
} from './captcha-provider.ts';
import { MountPoint } from './mount-point.ts';
import type { FlowContext } from './flow-context.ts';
import { focusAfterRender } from './problem-summary.ts';

/** Message keys of the texts above the widget. */
type CaptchaMessage = 'checkPerson' | 'checkExpired' | 'checkFailed';

/**
 * A third-party CAPTCHA widget above the Give button.
 *
 * The widget is mounted in the page's light DOM, like the payment fields, because it may not support
 * shadow roots. Only servers that are configured for it require a CAPTCHA:
 * docs/decisions/0047-card-testing.md
 */
export class Captcha implements ReactiveController {
  readonly #context: FlowContext;
  readonly #provider: CaptchaProvider;
  readonly #siteKey: string;
  readonly #mountPoint: MountPoint;
  #api: CaptchaApi | undefined;
  #widgetId: string | undefined;
  #pending: { resolve: (token: string) => void; reject: (reason: unknown) => void } | undefined;

  constructor(context: FlowContext, provider: CaptchaProvider, siteKey: string) {
    this.#context = context;
    this.#provider = provider;
    this.#siteKey = siteKey;
    this.#mountPoint = new MountPoint(`${context.slot}-captcha`);
  }

  /**
   * Shows the widget until the donor has solved it.
   *
   * @returns the provider's token, which is valid once
   * @throws {DOMException} `AbortError` if the donor cancels, or the form is closed or removed
   */
  async token(): Promise<string> {
    const { host, language, signal, setViewState } = this.#context;
    const token = new Promise<string>((resolve, reject) => (this.#pending = { resolve, reject }));
    signal.addEventListener('abort', this.#cancel);
    host.addController(this);
    try {
      void this.#start();
      return await token;
    } finally {
      signal.removeEventListener('abort', this.#cancel);
      host.removeController(this);
      this.#removeWidget();
      setViewState({ banner: undefined, announcement: language.messages.pleaseWait });
    }
  }

  /** An iframe loses its content when it is moved or removed. */
  hostDisconnected() {
    this.#cancel();
  }

  readonly #start = async () => {
    this.#showMessage('checkPerson');
    try {
      this.#api = await loadCaptchaApi(this.#provider);
      await this.#context.host.updateComplete;
      if (this.#pending) this.#renderWidget(this.#api);
    } catch (error) {
      console.error(error);
      this.#showMessage('checkFailed');
    }
  };

  #renderWidget(widgets: CaptchaApi) {
    this.#removeWidget();
    this.#mountPoint.attach(this.#context.host);
    const { div: container } = this.#mountPoint;
    const language = this.#context.language.code;
    const widgetInput = { siteKey: this.#siteKey, language, container };
    this.#widgetId = widgets.render(
      container,
      widgetOptions(this.#provider, widgetInput, {
        solved: (token) => this.#pending?.resolve(token),
        expired: () => (this.#showMessage('checkExpired'), this.#resetWidget()),
        failed: () => this.#showMessage('checkFailed'),
      }),
    );
  }

  #resetWidget() {
    if (this.#widgetId !== undefined) this.#api?.reset(this.#widgetId);
  }

  #removeWidget() {
    if (this.#widgetId !== undefined) this.#api?.remove(this.#widgetId);
    this.#widgetId = undefined;
    this.#mountPoint.detach();
  }

  readonly #cancel = () => {
    this.#pending?.reject(new DOMException('The check was canceled.', 'AbortError'));
    this.#pending = undefined;
  };

  #showMessage(messageKey: CaptchaMessage) {
    const { language, session, setViewState, slot } = this.#context;
    const { messages } = language;
    const failed = messageKey === 'checkFailed';
    const actions = failed
      ? html`<button type="button" class="secondary" @click=${this.#start}>
            ${messages.retry}
          </button>
          <a href=${session.current!.embed_url} target="_blank" rel="noopener"
            >${messages.hostedPage}</a
          >`
      : nothing;
    setViewState({
      // The other messages take the focus.
      announcement: messageKey === 'checkExpired' ? messages[messageKey] : '',
      banner: html`<div
        class="banner captcha ${failed ? 'error' : ''}"
        id="banner"
        role="group"
        aria-labelledby="captcha-label"
        tabindex="-1"
        part="message"
      >
        <strong id="captcha-label">${messages[messageKey]}</strong>
        <slot name=${`${slot}-captcha`} ?hidden=${failed}></slot>
        <p class="actions">
          ${actions}
          <button type="button" class="secondary" @click=${this.#cancel}>
            ${messages.checkBack}
          </button>
        </p>
      </div>`,
    });
    if (messageKey !== 'checkExpired') focusAfterRender(this.#context, '#banner');
  }
}
