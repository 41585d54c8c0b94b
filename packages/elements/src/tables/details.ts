import { html, nothing } from 'lit';
import { ConnectRowClickEvent } from '../row-events.ts';
import { moreFields, renderFields } from './fields.ts';
import type { PayoutParts } from './payout-parts.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** One row in full, in a dialog: read anew from the API, for a list may be minutes old. */
export class Details<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #row: Row | undefined;
  #parts: PayoutParts | undefined;
  #state: 'reading' | 'read' | 'failed' = 'reading';

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** The page may take the press for itself. */
  open(row: Row) {
    if (!this.#table.dispatchEvent(new ConnectRowClickEvent(row))) return;
    this.#row = row;
    void this.#read();
    this.#parts = undefined;
    if (this.#table.pages.component === 'payouts') void this.#readParts(row);
  }

  /** What a payout is made of. */
  async #readParts(row: Row) {
    try {
      const { payoutDonations, PayoutParts } = await import('./payout-drawer.ts');
      const { pages } = this.#table;
      const parts = new PayoutParts({
        ask: (query) =>
          pages.ask(`/${encodeURIComponent(row.id)}/donations?${query}`, pages.abort.signal),
        changed: () => this.#table.requestUpdate(),
        donations: payoutDonations(this.#table, pages, row.id),
        linkTo: () => undefined,
      });
      await parts.first();
      if (this.#row?.id === row.id) this.#parts = parts;
      this.#table.requestUpdate();
    } catch {
      // The payout itself stands.
    }
  }

  forget() {
    this.#row = undefined;
    this.#parts = undefined;
  }

  /** Shown once the dialog has been drawn. */
  updated() {
    const dialog = this.#table.renderRoot.querySelector('dialog');
    if (!dialog || dialog.open) return;
    dialog.showModal();
    // A press beside it; the keyboard has Escape. What `onclick` returns must not be `false`: that
    // would undo the press of whatever stands in it.
    dialog.onclick = ({ target }) => void (target === dialog && dialog.close());
  }

  render() {
    const row = this.#row;
    if (!row) return nothing;
    return html`<dialog part="details" aria-labelledby="details-title" @close=${this.#closed}>
      <header>
        <h2 id="details-title" class="title">${texts.details}</h2>
        <form method="dialog"><button class="quiet">${texts.close}</button></form>
      </header>
      ${this.#renderFields(row)}
      <p role="status" class="muted">
        ${this.#state === 'reading' ? texts.loadingDetails : nothing}
      </p>
      ${this.#parts?.render(this.#table.look) ?? nothing}
      ${
        this.#state === 'failed'
          ? html`<p role="alert">${texts.failed}</p>
              <button class="quiet" @click=${() => void this.#read()}>${texts.retry}</button>`
          : nothing
      }
    </dialog>`;
  }

  async #read() {
    const row = this.#row!;
    this.#state = 'reading';
    this.#table.requestUpdate();
    const { pages } = this.#table;
    try {
      const read = await pages.ask<Row>(`/${encodeURIComponent(row.id)}`, pages.abort.signal);
      if (this.#row?.id !== row.id) return;
      this.#row = read;
      this.#state = 'read';
    } catch {
      this.#state = 'failed';
    }
    this.#table.requestUpdate();
  }

  /** The columns as the table has them, then the others, then what has no column. */
  #renderFields(row: Row) {
    const { shown, pages, look } = this.#table;
    const isShown = new Set(shown.map(({ id }) => id));
    const others = this.#table.late!.everyColumn.filter(({ id }) => !isShown.has(id));
    return renderFields([...shown, ...others, ...moreFields<Row>(pages.component, look)], row);
  }

  readonly #closed = () => {
    const id = this.#row?.id ?? '';
    this.#row = undefined;
    this.#table.requestUpdate();
    // The browser gives the focus back to what had it: nothing, where the row was opened by mouse.
    const root = this.#table.renderRoot as ShadowRoot;
    if (root.activeElement && !root.activeElement.closest('dialog')) return;
    const button = root.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] .open`);
    button?.focus({ preventScroll: true });
  };
}
