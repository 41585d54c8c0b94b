import type { Chart } from './chart.ts';
import { html } from '../shared/html.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';

/** The chart above a table's rows. The code of the chart is loaded only by tables that show a chart. */
export class ChartLoader<Row extends Resource> {
  readonly #table: TableHost<Row>;
  #chart: Chart<Row> | undefined;
  #isRequested = false;

  constructor(table: TableHost<Row>) {
    this.#table = table;
  }

  /** @param hasChanged whether the rows have changed since the last call */
  update(hasChanged: boolean) {
    this.#chart?.update(hasChanged);
    if (this.#isRequested) return;
    this.#isRequested = true;
    import('./chart.ts').then(
      ({ Chart }) => {
        this.#chart = new Chart(this.#table);
        this.#table.requestUpdate();
      },
      () => {}, // The table works without its chart.
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
