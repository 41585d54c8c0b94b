import { html, nothing, type ReactiveController } from 'lit';
import type { CsvExport } from './csv-export.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** The button that starts and cancels a CSV export, with its progress. */
export class ExportButton<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  #csvExport: CsvExport<Row> | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
    table.addController(this);
  }

  hostDisconnected() {
    this.cancel();
  }

  cancel() {
    this.#csvExport?.cancel();
  }

  render() {
    const running = this.#csvExport?.running;
    const { messages } = this.#table.display;
    return html`<button
        class="secondary"
        @click=${running ? () => this.cancel() : this.#startExport}
      >
        ${running ? messages.cancel : messages.export}
      </button>
      ${running ? html`<progress aria-label=${messages.export}></progress>` : nothing}
      ${this.#csvExport?.failed ? html`<span role="alert">${messages.exportFailed}</span>` : nothing}`;
  }

  readonly #startExport = async () => {
    const { CsvExport } = await import('./csv-export.ts');
    this.#csvExport = new CsvExport(this.#table);
    await this.#csvExport.run();
  };
}
