import { html, nothing } from '../shared/html.ts';
import type { CsvExport } from './csv-export.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';
import { messages } from './table-messages.ts';
import { pluralMessage } from './i18n.ts';

/** The button that starts and cancels a CSV export, with its progress. */
export class ExportButton<Row extends Resource> {
  readonly #table: TableHost<Row>;
  #csvExport: CsvExport<Row> | undefined;

  constructor(table: TableHost<Row>) {
    this.#table = table;
  }

  cancel() {
    this.#csvExport?.cancel();
  }

  render() {
    const running = this.#csvExport?.running;
    return html`<button
        class="secondary"
        @click=${running ? () => this.cancel() : this.#startExport}
      >
        ${running ? messages.cancel : messages.export}
      </button>
      ${
        running
          ? html`<progress aria-label=${messages.export}></progress>
              <span class="count" role="status">
                ${pluralMessage('exporting', this.#csvExport!.count, this.#table.display.language)}
              </span>`
          : nothing
      }
      ${this.#csvExport?.failed ? html`<span role="alert">${messages.exportFailed}</span>` : nothing}`;
  }

  readonly #startExport = async () => {
    const { CsvExport } = await import('./csv-export.ts');
    this.#csvExport = new CsvExport(this.#table);
    await this.#csvExport.run();
  };
}
