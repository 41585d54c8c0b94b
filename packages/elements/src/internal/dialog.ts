import type { LitElement, ReactiveController, TemplateResult } from 'lit';
import { ConnectCloseEvent, ConnectOpenEvent } from '../dialog-events.ts';
import { dialogStyles } from './dialog.styles.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import type { SharedDeps } from './lazy-features.ts';
import { ScrollLock } from './scroll-lock.ts';

/** A frame of at least this many pixels each way, put straight into the page, is there to be used. */
const MIN_OVERLAY_PX = 200;

/** What this needs of the element: its name, and the word on the button that closes. */
type Host = LitElement & { form: string | null; display?: string | null };

/** Ours, in the address that a bank sends donors to: `pending-payment.ts`. */
const RETURN_PARAMETER = 'connect_form';

/**
 * The dialog of a form that does not stand in the page: `display="button|sticky|modal"`.
 *
 * The browser's own, so that focus, Escape and what lies beneath are the browser's business. It
 * stays where it is when it closes: the card's fields and all that was typed are kept. Its opener
 * may be any link of the page to the element (`<a href="#give">`), which leads to the fallback
 * where no script runs.
 */
export class FormDialog implements ReactiveController {
  /** The form was asked for at least once; nothing of it is fetched before. */
  isRequested = false;
  readonly #host: Host;
  readonly #deps: SharedDeps;
  readonly #scrollLock = new ScrollLock();
  #isOpen = false;
  /** Knows of windows that others put over the page, as banks do. */
  readonly #resizeObserver = new ResizeObserver(() => this.#yieldToOverlay());
  readonly #bodyObserver = new MutationObserver((records) => this.#handleMutations(records));
  readonly #overlayFrames = new Set<Element>();

  constructor(host: Host, deps: SharedDeps) {
    this.#host = host;
    this.#deps = deps;
    const sheets = host.shadowRoot!.adoptedStyleSheets;
    sheets.push(dialogStyles(deps.css).styleSheet!);
    host.addController(this);
    const { hash, search } = location;
    const isReturning = new URLSearchParams(search).get(RETURN_PARAMETER) === (host.form ?? '');
    host.requestUpdate();
    if (isReturning || (host.id && hash === `#${host.id}`)) void this.open();
  }

  hostConnected() {
    document.addEventListener('click', this.#handleLinkClick);
    // A gift whose dialog was closed too soon still has an answer.
    for (const type of OUTCOME_EVENTS) this.#host.addEventListener(type, this.open);
  }

  hostDisconnected() {
    document.removeEventListener('click', this.#handleLinkClick);
    for (const type of OUTCOME_EVENTS) this.#host.removeEventListener(type, this.open);
    this.close(); // Put back elsewhere it would stand open, and be modal no more.
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
    this.#markClosed(); // A moment ago, and it is not told yet.
    dialog.showModal();
    // Where it cannot be seen nothing may be locked: a donor would not know what for.
    if (!dialog.checkVisibility()) return this.#reportHidden(dialog);
    this.#isOpen = true;
    this.#scrollLock.lock();
    this.#bodyObserver.observe(document.body, { childList: true });
    this.#host.dispatchEvent(new ConnectOpenEvent());
  };

  close() {
    this.#dialog?.close();
  }

  #reportHidden(dialog: HTMLDialogElement) {
    dialog.close();
    console.error('<connect-donate>', `display="${this.#host.display}": ${HIDDEN_REASON}`);
  }

  /** The button, and around the form as it would stand in the page the dialog. */
  render(texts: DonateTexts, renderContent: () => TemplateResult) {
    const { html } = this.#deps;
    const button = html`<button class="give" part="open" aria-haspopup="dialog" @click=${this.open}>
      ${texts.giveAny}
    </button>`;
    return html`${this.#host.display === 'modal' ? '' : button}
    ${this.isRequested ? this.#renderDialog(texts, renderContent()) : ''}`;
  }

  #renderDialog(texts: DonateTexts, content: TemplateResult) {
    const { html } = this.#deps;
    return html`<dialog
      part="dialog"
      aria-labelledby="title"
      @close=${this.#handleClose}
      @pointerdown=${this.#handleBackdropPress}
    >
      <div class="bar">
        <button
          class="close"
          part="close"
          type="button"
          aria-label=${texts.close}
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
    return this.#host.renderRoot.querySelector('dialog');
  }

  /** The page has put the form back into itself. */
  get #isInline() {
    return !this.#dialog && this.#host.renderRoot.querySelector('.frame') !== null;
  }

  readonly #handleCloseClick = () => this.close();

  /** The backdrop belongs to the dialog, but lies outside of its edges. */
  readonly #handleBackdropPress = (event: PointerEvent) => {
    if (event.target !== event.currentTarget || event.button) return;
    const { left, right, top, bottom } = this.#dialog!.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) this.close();
  };

  /** Told a moment after; meanwhile it may be open again, in another manner. */
  readonly #handleClose = () => {
    if (!this.#dialog?.open) this.#markClosed();
  };

  #markClosed() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#scrollLock.unlock();
    this.#bodyObserver.disconnect();
    this.#resizeObserver.disconnect();
    this.#overlayFrames.clear();
    this.#dialog?.classList.remove('below');
    this.#host.dispatchEvent(new ConnectCloseEvent());
  }

  /** A link of the page to this element opens it in place of leading there. */
  readonly #handleLinkClick = (event: MouseEvent) => {
    const { id } = this.#host;
    const [pressed] = event.composedPath();
    const link = pressed instanceof Element ? pressed.closest('a[href]') : null;
    if (!id || !link || !linksTo(link, `#${id}`) || event.defaultPrevented) return;
    if (this.#isInline || opensNewTab(event, link)) return; // Where it leads, it leads.
    event.preventDefault();
    void this.open();
  };

  #handleMutations(records: MutationRecord[]) {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || node.contains(this.#host)) continue;
      const frames = node.matches('iframe') ? [node] : node.querySelectorAll('iframe');
      for (const frame of frames) {
        this.#overlayFrames.add(frame);
        this.#resizeObserver.observe(frame);
      }
    }
    this.#yieldToOverlay();
  }

  /**
   * A bank's page comes as a frame above the whole page, and nothing lies above a modal dialog: so
   * the dialog is not modal for as long as there is one. Its nodes stay: frames keep their content.
   */
  #yieldToOverlay() {
    const dialog = this.#dialog;
    const hasOverlay = [...this.#overlayFrames].some((frame) => {
      const { width, height } = frame.getBoundingClientRect();
      return frame.isConnected && width > MIN_OVERLAY_PX && height > MIN_OVERLAY_PX;
    });
    if (!this.#isOpen || !dialog || dialog.classList.contains('below') === hasOverlay) return;
    dialog.classList.toggle('below', hasOverlay);
    dialog.close();
    if (hasOverlay) dialog.show();
    else dialog.showModal();
  }
}

/** Menus of builders write whole addresses, and a `<base>` leads bare ones elsewhere. */
const linksTo = (link: Element, hash: string) =>
  link.getAttribute('href') === hash ||
  (link as HTMLAnchorElement).href === `${location.href.split('#')[0]}${hash}`;

/** Into another tab or window: by the link's own word, or by the visitor's. */
const opensNewTab = ({ ctrlKey, metaKey, shiftKey }: MouseEvent, link: Element) =>
  ctrlKey || metaKey || shiftKey || /^(?!_self$)./i.test(link.getAttribute('target') ?? '');

const HIDDEN_REASON = 'it stands in something that is not shown, and so would its dialog.';

const OUTCOME_EVENTS = ['connect-success', 'connect-error'] as const;
