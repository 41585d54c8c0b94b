import { html, nothing } from 'lit';
import { formatCount } from './format-count.ts';
import type { CsvExport } from './csv-export.ts';
import type { Resource, TableElement } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

/** The button that starts and cancels a CSV export, with its progress. */
export class ExportButton<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #csvExport: CsvExport<Row> | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  cancel() {
    this.#csvExport?.cancel();
  }

  render() {
    const running = this.#csvExport?.running;
    return html`<button class="quiet" @click=${running ? () => this.cancel() : this.#startExport}>
        ${running ? texts.cancel : texts.export}
      </button>
      ${
        running
          ? html`<progress aria-label=${texts.export}></progress>
              <span class="found" role="status">
                ${texts.exporting(formatCount(this.#csvExport!.count, this.#table.display.language))}
              </span>`
          : nothing
      }
      ${this.#csvExport?.failed ? html`<span role="alert">${texts.exportFailed}</span>` : nothing}`;
  }

  readonly #startExport = async () => {
    const { CsvExport } = await import('./csv-export.ts');
    this.#csvExport = new CsvExport(this.#table);
    await this.#csvExport.run();
  };
}
