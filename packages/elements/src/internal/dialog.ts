import type { LitElement, ReactiveController, TemplateResult } from 'lit';
import { ConnectCloseEvent, ConnectOpenEvent } from '../dialog-events.ts';
import { dialogStyles } from './dialog.styles.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import type { Lent } from './owner.ts';
import { PageLock } from './page-lock.ts';

/** A frame of at least this many pixels each way, put straight into the page, is there to be used. */
const WINDOW_PX = 200;

/** What this needs of the element: its name, and the word on the button that closes. */
type Host = LitElement & { form: string | null; display?: string | null };

/** Ours, in the address that a bank sends donors to: `begun.ts`. */
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
  wanted = false;
  readonly #host: Host;
  readonly #lent: Lent;
  readonly #lock = new PageLock();
  #open = false;
  /** Knows of windows that others put over the page, as banks do. */
  readonly #sizes = new ResizeObserver(() => this.#makeWay());
  readonly #arrivals = new MutationObserver((records) => this.#look(records));
  readonly #windows = new Set<Element>();

  constructor(host: Host, lent: Lent) {
    this.#host = host;
    this.#lent = lent;
    const sheets = host.shadowRoot!.adoptedStyleSheets;
    sheets.push(dialogStyles(lent.css).styleSheet!);
    host.addController(this);
    const { hash, search } = location;
    const returned = new URLSearchParams(search).get(RETURN_PARAMETER) === (host.form ?? '');
    host.requestUpdate();
    if (returned || (host.id && hash === `#${host.id}`)) void this.open();
  }

  hostConnected() {
    document.addEventListener('click', this.#followed);
    // A gift whose dialog was closed too soon still has an answer.
    for (const type of OUTCOMES) this.#host.addEventListener(type, this.open);
  }

  hostDisconnected() {
    document.removeEventListener('click', this.#followed);
    for (const type of OUTCOMES) this.#host.removeEventListener(type, this.open);
    this.close(); // Put back elsewhere it would stand open, and be modal no more.
    this.#closed();
  }

  hostUpdated() {
    if (this.#inPage) this.#closed();
  }

  readonly open = async () => {
    this.wanted = true;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const dialog = this.#dialog;
    if (!dialog || dialog.open || !this.#host.isConnected) return;
    this.#closed(); // A moment ago, and it is not told yet.
    dialog.showModal();
    // Where it cannot be seen nothing may be locked: a donor would not know what for.
    if (!dialog.checkVisibility()) return this.#unseen(dialog);
    this.#open = true;
    this.#lock.lock();
    this.#arrivals.observe(document.body, { childList: true });
    this.#host.dispatchEvent(new ConnectOpenEvent());
  };

  close() {
    this.#dialog?.close();
  }

  #unseen(dialog: HTMLDialogElement) {
    dialog.close();
    console.error('<connect-donate>', `display="${this.#host.display}": ${UNSEEN}`);
  }

  /** The button, and around the form as it would stand in the page the dialog. */
  render(texts: DonateTexts, renderFace: () => TemplateResult) {
    const { html } = this.#lent;
    const button = html`<button class="give" part="open" aria-haspopup="dialog" @click=${this.open}>
      ${texts.giveAny}
    </button>`;
    return html`${this.#host.display === 'modal' ? '' : button}
    ${this.wanted ? this.#renderDialog(texts, renderFace()) : ''}`;
  }

  #renderDialog(texts: DonateTexts, face: TemplateResult) {
    const { html } = this.#lent;
    return html`<dialog
      part="dialog"
      aria-labelledby="title"
      @close=${this.#closes}
      @pointerdown=${this.#pressedBeside}
    >
      <div class="bar">
        <button
          class="close"
          part="close"
          type="button"
          aria-label=${texts.close}
          @click=${this.#dismiss}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5 5l10 10M15 5L5 15" stroke="currentColor" stroke-width="1.8" />
          </svg>
        </button>
      </div>
      ${face}
    </dialog>`;
  }

  get #dialog() {
    return this.#host.renderRoot.querySelector('dialog');
  }

  /** The page has put the form back into itself. */
  get #inPage() {
    return !this.#dialog && this.#host.renderRoot.querySelector('.frame') !== null;
  }

  readonly #dismiss = () => this.close();

  /** The backdrop belongs to the dialog, but lies outside of its edges. */
  readonly #pressedBeside = (event: PointerEvent) => {
    if (event.target !== event.currentTarget || event.button) return;
    const { left, right, top, bottom } = this.#dialog!.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) this.close();
  };

  /** Told a moment after; meanwhile it may be open again, in another manner. */
  readonly #closes = () => {
    if (!this.#dialog?.open) this.#closed();
  };

  #closed() {
    if (!this.#open) return;
    this.#open = false;
    this.#lock.unlock();
    this.#arrivals.disconnect();
    this.#sizes.disconnect();
    this.#windows.clear();
    this.#dialog?.classList.remove('below');
    this.#host.dispatchEvent(new ConnectCloseEvent());
  }

  /** A link of the page to this element opens it in place of leading there. */
  readonly #followed = (event: MouseEvent) => {
    const { id } = this.#host;
    const [pressed] = event.composedPath();
    const link = pressed instanceof Element ? pressed.closest('a[href]') : null;
    if (!id || !link || !leadsTo(link, `#${id}`) || event.defaultPrevented) return;
    if (this.#inPage || leadsElsewhere(event, link)) return; // Where it leads, it leads.
    event.preventDefault();
    void this.open();
  };

  #look(records: MutationRecord[]) {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || node.contains(this.#host)) continue;
      const frames = node.matches('iframe') ? [node] : node.querySelectorAll('iframe');
      for (const frame of frames) {
        this.#windows.add(frame);
        this.#sizes.observe(frame);
      }
    }
    this.#makeWay();
  }

  /**
   * A bank's page comes as a frame above the whole page, and nothing lies above a modal dialog: so
   * the dialog is not modal for as long as there is one. Its nodes stay: frames keep their content.
   */
  #makeWay() {
    const dialog = this.#dialog;
    const shown = [...this.#windows].some((frame) => {
      const { width, height } = frame.getBoundingClientRect();
      return frame.isConnected && width > WINDOW_PX && height > WINDOW_PX;
    });
    if (!this.#open || !dialog || dialog.classList.contains('below') === shown) return;
    dialog.classList.toggle('below', shown);
    dialog.close();
    if (shown) dialog.show();
    else dialog.showModal();
  }
}

/** Menus of builders write whole addresses, and a `<base>` leads bare ones elsewhere. */
const leadsTo = (link: Element, hash: string) =>
  link.getAttribute('href') === hash ||
  (link as HTMLAnchorElement).href === `${location.href.split('#')[0]}${hash}`;

/** Into another tab or window: by the link's own word, or by the visitor's. */
const leadsElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent, link: Element) =>
  ctrlKey || metaKey || shiftKey || /^(?!_self$)./i.test(link.getAttribute('target') ?? '');

const UNSEEN = 'it stands in something that is not shown, and so would its dialog.';

const OUTCOMES = ['connect-success', 'connect-error'] as const;
