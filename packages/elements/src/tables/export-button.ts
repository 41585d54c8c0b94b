import { html, nothing } from 'lit';
import { formatCount } from './count.ts';
import type { Export } from './export.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** Starts an export, shows how far it is, and stops it. */
export class ExportButton<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #export: Export<Row> | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  cancel() {
    this.#export?.cancel();
  }

  render() {
    const running = this.#export?.running;
    return html`<button class="quiet" @click=${running ? () => this.cancel() : this.#write}>
        ${running ? texts.cancel : texts.export}
      </button>
      ${
        running
          ? html`<progress aria-label=${texts.export}></progress>
              <span class="found" role="status">
                ${texts.exporting(formatCount(this.#export!.count, this.#table.look.language))}
              </span>`
          : nothing
      }
      ${this.#export?.failed ? html`<span role="alert">${texts.exportFailed}</span>` : nothing}`;
  }

  readonly #write = async () => {
    const { Export } = await import('./export.ts');
    this.#export = new Export(this.#table);
    await this.#export.write();
  };
}
