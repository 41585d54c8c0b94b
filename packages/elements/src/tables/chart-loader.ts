import { html, type ReactiveController } from 'lit';
import type { Chart } from './chart.ts';
import type { Resource } from './column.ts';
import type { RowLoader } from './row-loader.ts';
import type { TableElement } from './table-element.ts';

/** The chart above a table's rows. The code of the chart is loaded only by tables that show a chart. */
export class ChartLoader<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  #chart: Chart<Row> | undefined;
  #isRequested = false;

  constructor(table: TableElement<Row>, loader: RowLoader<Row>) {
    this.#table = table;
    this.#loader = loader;
    table.addController(this);
  }

  hostUpdated() {
    if (!this.#table.features?.hasTool('chart')) return;
    this.#chart?.update();
    if (this.#isRequested) return;
    this.#isRequested = true;
    import('./chart.ts').then(
      ({ Chart }) => {
        this.#chart = new Chart(this.#table, this.#loader);
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
