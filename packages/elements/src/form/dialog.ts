import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { ConnectDonate } from '../connect-donate.ts';
import { ConnectCloseEvent, ConnectOpenEvent } from '../dialog-events.ts';
import { adoptStyles } from '../shared/adopt-styles.ts';
import { isBackdropPress } from '../shared/backdrop-press.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import { dialogStyles } from './dialog.styles.ts';
import { RETURN_PARAMETER } from './pending-payment.ts';
import { ScrollLock } from './scroll-lock.ts';

/** A frame of the payment that is shown larger than this is an overlay for the donor to use. */
const MIN_OVERLAY_PX = 200;

/** Stripe.js names all its frames so, the bank's 3-D Secure page included (stripe/stripe-js#599). */
const STRIPE_FRAME_NAME = '__privateStripeFrame';

/** These events open a dialog that the donor has closed during a payment, so that the result is seen. */
const OUTCOME_EVENTS = ['connect-success', 'connect-error'] as const;

const HIDDEN_REASON = 'the element is inside a hidden element, so its dialog would be invisible.';

/**
 * The dialog of a form with `display="button|sticky|modal"`.
 *
 * It is a native `<dialog>`, so that the browser handles focus, Escape and the inert page behind
 * it. It stays in the document when it is closed, so that the payment fields and the donor's input are
 * kept. Links of the page to the element's id (`<a href="#give">`) open it, too; without JavaScript
 * they lead to the fallback content.
 */
export class FormDialog implements ReactiveController {
  /** True once the dialog has been opened. The form is not loaded before. */
  isRequested = false;
  readonly #host: ConnectDonate;
  readonly #dialogRef = createRef<HTMLDialogElement>();
  readonly #scrollLock = new ScrollLock();
  #isOpen = false;
  /** Observes overlays on the page, such as a bank's 3-D Secure frame. */
  readonly #resizeObserver = new ResizeObserver(() => this.#yieldToOverlay());
  readonly #pageObserver = new MutationObserver((records) => this.#handleMutations(records));
  readonly #overlayFrames = new Set<HTMLIFrameElement>();
  /** What had the focus before the dialog was opened. */
  #opener: HTMLElement | null = null;

  constructor(host: ConnectDonate) {
    this.#host = host;
    adoptStyles(host, dialogStyles);
    host.addController(this);
    const { hash, search } = location;
    const isReturning = new URLSearchParams(search).get(RETURN_PARAMETER) === (host.form ?? '');
    host.requestUpdate();
    if (isReturning || (host.id && hash === `#${host.id}`)) void this.open();
  }

  hostConnected() {
    document.addEventListener('click', this.#handleLinkClick);
    for (const type of OUTCOME_EVENTS) this.#host.addEventListener(type, this.open);
  }

  hostDisconnected() {
    document.removeEventListener('click', this.#handleLinkClick);
    for (const type of OUTCOME_EVENTS) this.#host.removeEventListener(type, this.open);
    this.close(); // If the element is moved, its dialog would still be open but no longer modal.
    this.#markClosed();
  }

  hostUpdated() {
    if (this.#isInline) this.#markClosed();
  }

  readonly open = async () => {
    this.isRequested = true;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const dialog = this.#dialog;
    if (!dialog || dialog.open || !this.#host.isConnected) return;
    this.#markClosed(); // The dialog may have been closed just before, and its `close` event not yet handled.
    this.#opener = (this.#host.shadowRoot!.activeElement ??
      document.activeElement) as HTMLElement | null;
    dialog.showModal();
    // In a hidden ancestor the dialog is invisible, so the page must not be locked.
    if (!dialog.checkVisibility()) return this.#reportHidden(dialog);
    this.#isOpen = true;
    this.#scrollLock.lock();
    this.#pageObserver.observe(document.body, { childList: true });
    this.#host.dispatchEvent(new ConnectOpenEvent());
  };

  close() {
    this.#dialog?.close();
  }

  #reportHidden(dialog: HTMLDialogElement) {
    dialog.close();
    console.error('<connect-donate>', `display="${this.#host.display}": ${HIDDEN_REASON}`);
  }

  /** Renders the button that opens the dialog, and the dialog with the form in it. */
  render(messages: DonateMessages, renderContent: () => TemplateResult) {
    const button = html`<button
      class="primary"
      part="open-button"
      aria-haspopup="dialog"
      @click=${this.open}
    >
      ${messages.giveAny}
    </button>`;
    return html`${this.#host.display === 'modal' ? nothing : button}
    ${this.isRequested ? this.#renderDialog(messages, renderContent()) : nothing}`;
  }

  #renderDialog(messages: DonateMessages, content: TemplateResult) {
    return html`<dialog
      ${ref(this.#dialogRef)}
      part="dialog"
      aria-labelledby="title purpose"
      @close=${this.#handleClose}
      @pointerdown=${this.#handleBackdropPress}
    >
      <div class="bar">
        <button
          class="close"
          part="close-button"
          type="button"
          aria-label=${messages.close}
          @click=${this.#handleCloseClick}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5 5l10 10M15 5L5 15" stroke="currentColor" stroke-width="1.8" />
          </svg>
        </button>
      </div>
      ${content}
    </dialog>`;
  }

  get #dialog() {
    return this.#dialogRef.value;
  }

  /** True if the page has changed `display` to `inline`. */
  get #isInline() {
    return !this.#dialog && this.#host.renderRoot.querySelector('.frame') !== null;
  }

  readonly #handleCloseClick = () => this.close();

  readonly #handleBackdropPress = (event: PointerEvent) => {
    if (isBackdropPress(event)) this.close();
  };

  /** The `close` event is asynchronous: the dialog may already be open again. */
  readonly #handleClose = () => {
    if (!this.#dialog?.open) this.#markClosed();
  };

  #markClosed() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#scrollLock.unlock();
    this.#pageObserver.disconnect();
    this.#resizeObserver.disconnect();
    this.#overlayFrames.clear();
    this.#dialog?.classList.remove('behind');
    this.#host.dispatchEvent(new ConnectCloseEvent());
  }

  /** Opens the dialog when a link of the page to this element is clicked, instead of scrolling to it. */
  readonly #handleLinkClick = (event: MouseEvent) => {
    const { id } = this.#host;
    const link = event
      .composedPath()
      .find((node) => node instanceof Element && node.matches('a[href]')) as Element | undefined;
    if (!id || !link || !linksTo(link, `#${id}`) || event.defaultPrevented) return;
    if (this.#isInline || opensNewTab(event, link)) return; // The browser follows the link.
    event.preventDefault();
    void this.open();
  };

  #handleMutations(records: MutationRecord[]) {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || node.contains(this.#host)) continue;
      // Frames that are added to it later, or are shown later.
      this.#pageObserver.observe(node, {
        childList: true,
        subtree: true,
        attributeFilter: ['class', 'style'],
      });
      const frames = node.matches('iframe') ? [node] : node.querySelectorAll('iframe');
      for (const frame of frames as Iterable<HTMLIFrameElement>) {
        if (!this.#isOfPayment(frame)) continue;
        this.#overlayFrames.add(frame);
        this.#resizeObserver.observe(frame);
      }
    }
    this.#yieldToOverlay();
  }

  /** True for a frame of Stripe, and of the CAPTCHA that the form itself has requested. */
  #isOfPayment({ name, src }: HTMLIFrameElement): boolean {
    const isSubmitting = this.#host.matches('[state=submitting]');
    const isCaptcha = isSubmitting && /^https:\/\/([\w-]+\.)*hcaptcha\.com\//.test(src);
    return isCaptcha || name.startsWith(STRIPE_FRAME_NAME);
  }

  /**
   * Stripe shows a bank's 3-D Secure page in an iframe above the page, which a modal dialog would
   * cover. So the dialog is not modal while such an overlay is visible. Its nodes are not moved,
   * because iframes would lose their content. Frames of other widgets change nothing.
   */
  #yieldToOverlay() {
    const dialog = this.#dialog;
    const hasOverlay = [...this.#overlayFrames].some((frame) => {
      const { width, height } = frame.getBoundingClientRect();
      const isVisible = frame.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return isVisible && width > MIN_OVERLAY_PX && height > MIN_OVERLAY_PX;
    });
    if (!this.#isOpen || !dialog || dialog.classList.contains('behind') === hasOverlay) return;
    dialog.classList.toggle('behind', hasOverlay);
    dialog.close();
    if (hasOverlay) return dialog.show();
    // A dialog returns the focus to what had it before: that was the bank's page, which is gone.
    this.#opener?.focus({ preventScroll: true });
    dialog.showModal();
  }
}

/**
 * Website builders write absolute URLs in menus, and with a `<base>` element a bare `#id` resolves
 * to another page.
 */
const linksTo = (link: Element, hash: string) =>
  link.getAttribute('href') === hash ||
  (link as HTMLAnchorElement).href === `${location.href.split('#')[0]}${hash}`;

/** True if the link opens another tab or window, by its `target` or by a modifier key. */
const opensNewTab = ({ ctrlKey, metaKey, shiftKey }: MouseEvent, link: Element) =>
  ctrlKey || metaKey || shiftKey || /^(?!_self$)./i.test(link.getAttribute('target') ?? '');
