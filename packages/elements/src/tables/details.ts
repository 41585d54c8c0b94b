import { html, nothing } from 'lit';
import { ConnectRowClickEvent } from '../row-events.ts';
import { moreFields, renderFields } from './fields.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** One row in full, in a dialog: read anew from the API, for a list may be minutes old. */
export class Details<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #row: Row | undefined;
  #state: 'reading' | 'read' | 'failed' = 'reading';

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** The page may take the press for itself. */
  open(row: Row) {
    if (!this.#table.dispatchEvent(new ConnectRowClickEvent(row))) return;
    this.#row = row;
    void this.#read();
  }

  forget() {
    this.#row = undefined;
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
    this.#row = undefined; // The browser gives the focus back to the row.
    this.#table.requestUpdate();
  };
}
