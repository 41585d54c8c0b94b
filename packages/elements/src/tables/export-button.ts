import { html, nothing, type ReactiveController } from 'lit';
import { importChunk } from '../shared/import-chunk.ts';
import type { CsvExport } from './csv-export.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** The button that starts and cancels a CSV export, with its progress. */
export class ExportButton<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  #csvExport: CsvExport<Row> | undefined;
  #hasFailedToLoad = false;

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
      ${this.#csvExport?.failed || this.#hasFailedToLoad ? html`<span role="alert">${messages.exportFailed}</span>` : nothing}`;
  }

  readonly #startExport = async () => {
    const chunk = await importChunk(() => import('./csv-export.ts')).catch((error: unknown) => {
      console.error(`<${this.#table.localName}>`, error);
    });
    this.#hasFailedToLoad = !chunk;
    this.#table.requestUpdate();
    if (!chunk) return;
    this.#csvExport = new chunk.CsvExport(this.#table);
    await this.#csvExport.run();
  };
}
