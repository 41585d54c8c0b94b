import { html, nothing, type ReactiveController } from 'lit';
import type { Payout } from '@connect-embed/contract';
import { ConnectRowClickEvent } from '../row-events.ts';
import { isBackdropPress } from '../shared/backdrop-press.ts';
import { moreFields, renderFields } from './fields.ts';
import { donationOfPayout, payoutDonations } from './payout-donations.ts';
import type { PayoutTransactions } from './payout-transactions.ts';
import type { TableElement } from './table-element.ts';
import { unmaskedColumns, type Resource } from './column.ts';

/**
 * The dialog with the details of one row. The row is fetched again when the dialog opens, because the
 * list may be outdated.
 */
export class DetailsDialog<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  #row: Row | undefined;
  #transactions: PayoutTransactions | undefined;
  #state: 'loading' | 'loaded' | 'failed' = 'loading';

  constructor(table: TableElement<Row>) {
    this.#table = table;
    table.addController(this);
  }

  /** Opens the dialog unless the host page cancels the `connect-row-click` event. */
  open(row: Row) {
    if (!this.#table.dispatchEvent(new ConnectRowClickEvent(row))) return;
    this.#row = row;
    void this.#loadRow();
    this.#transactions = undefined;
    if (this.#table.pages.component === 'payouts') void this.#loadTransactions(row);
  }

  /** Loads the transactions of a payout. */
  async #loadTransactions(row: Row) {
    try {
      const { PayoutTransactions } = await import('./payout-transactions.ts');
      const { pages } = this.#table;
      const parts = new PayoutTransactions({
        fetchTransactions: (query) =>
          pages.readPath(
            `/${encodeURIComponent(row.id)}/transactions?${query}`,
            pages.abort.signal,
          ),
        requestUpdate: () => this.#table.requestUpdate(),
        fetchDonation: (id) => donationOfPayout(pages, id),
        fetchDonations: payoutDonations(this.#table, pages, row.id),
        linkToDonation: () => undefined,
      });
      await parts.loadFirstPage();
      if (this.#row?.id === row.id) this.#transactions = parts;
      this.#table.requestUpdate();
    } catch {
      // Without its parts, the payout itself is still shown.
    }
  }

  reset() {
    this.#row = undefined;
    this.#transactions = undefined;
  }

  /** Opens the dialog once it is rendered. */
  hostUpdated() {
    const dialog = this.#table.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  render() {
    const row = this.#row;
    if (!row) return nothing;
    const { display } = this.#table;
    const { messages } = display;
    return html`<dialog
      part="details-dialog"
      aria-labelledby="details-title"
      @pointerdown=${this.#handleBackdropPress}
      @close=${this.#handleClose}
    >
      <header>
        <h2 id="details-title" class="title">${messages.details}</h2>
        <form method="dialog"><button class="secondary">${messages.close}</button></form>
      </header>
      ${this.#renderFields(row)}
      <p role="status" class="muted">
        ${this.#state === 'loading' ? messages.loadingDetails : nothing}
      </p>
      ${this.#transactions?.render(display, row as Payout)}
      ${
        this.#state === 'failed'
          ? html`<p role="alert">${messages.failed}</p>
              <button class="secondary" @click=${() => void this.#loadRow()}>
                ${messages.retry}
              </button>`
          : nothing
      }
    </dialog>`;
  }

  async #loadRow() {
    const row = this.#row!;
    this.#state = 'loading';
    this.#table.requestUpdate();
    const { pages } = this.#table;
    try {
      const loaded = await pages.readPath<Row>(
        `/${encodeURIComponent(row.id)}`,
        pages.abort.signal,
      );
      if (this.#row?.id !== row.id) return;
      this.#row = loaded;
      this.#state = 'loaded';
    } catch {
      if (this.#row?.id !== row.id) return;
      this.#state = 'failed';
    }
    this.#table.requestUpdate();
  }

  /** Shown columns first, in their order, then the other columns, then fields without a column. */
  #renderFields(row: Row) {
    const { allColumns, shownColumns, pages, display } = this.#table;
    const isShown = new Set(shownColumns.map(({ id }) => id));
    const others = unmaskedColumns(pages, allColumns).filter(({ id }) => !isShown.has(id));
    const more = moreFields<Row>(pages.component, display);
    return renderFields([...shownColumns, ...others, ...more], row);
  }

  /** Escape works natively. */
  readonly #handleBackdropPress = (event: PointerEvent) => {
    if (isBackdropPress(event)) (event.currentTarget as HTMLDialogElement).close();
  };

  readonly #handleClose = () => {
    const id = this.#row?.id ?? '';
    this.#row = undefined;
    this.#table.requestUpdate();
    // On close, the browser restores the focus to the element that had it before. A row opened by mouse
    // had none, so its button receives the focus.
    const root = this.#table.renderRoot as ShadowRoot;
    if (root.activeElement && !root.activeElement.closest('dialog')) return;
    const button = root.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] .open`);
    button?.focus({ preventScroll: true });
  };
}
