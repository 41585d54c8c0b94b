import type { Chart } from './chart.ts';
import { html } from 'lit';
import type { Resource, TableElement } from './table-element.ts';

/** Where a chart stands above the rows; its file is fetched by tables that ask for one. */
export class ChartLoader<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #chart: Chart<Row> | undefined;
  #isRequested = false;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** @param added whether rows are new since this was last told */
  update(added: boolean) {
    this.#chart?.update(added);
    if (this.#isRequested) return;
    this.#isRequested = true;
    import('./chart.ts').then(
      ({ Chart }) => {
        this.#chart = new Chart(this.#table);
        this.#table.requestUpdate();
      },
      () => {}, // The rows stand without it.
    );
  }

  reset() {
    this.#chart = undefined;
    this.#isRequested = false;
  }

  render() {
    return this.#chart?.node ?? html`<div class="chart"></div>`;
  }
}
