import { html, nothing, type ReactiveController } from 'lit';
import { formatMoney } from '@connect-embed/contract/format-money';
import type { DonationSummary, DonationSums } from '@connect-embed/contract';
import type { OnItsWay } from './on-its-way.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';
import { formatCount } from './format.ts';
import type { RowLoader } from './row-loader.ts';

/**
 * Count and sums of all donations that match the filters, computed by the API: the totals tool, and the line
 * about payments whose money is on its way.
 */
export class Totals<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  #summary: DonationSummary | undefined;
  readonly #loader: RowLoader<Row>;
  #onItsWay: OnItsWay<Row> | undefined;
  /** The revision of the rows that the totals were loaded for. */
  #loadedRevision = 0;

  constructor(table: TableElement<Row>, loader: RowLoader<Row>) {
    this.#table = table;
    this.#loader = loader;
    table.addController(this);
  }

  /** Loads the sums when the table has loaded a new first page, and when its rows have changed. */
  hostUpdated() {
    const { component, status } = this.#table.pages;
    const isLoaded = this.#loader.revision === this.#loadedRevision;
    if (component === 'donations' && status === 'ready' && !isLoaded) void this.#load();
  }

  async #load() {
    this.#loadedRevision = this.#loader.revision;
    const { pages } = this.#table;
    try {
      const query = new URLSearchParams(pages.query);
      const { signal } = pages.abort;
      const summary = await pages.readPath<DonationSummary>(`/summary?${query}`, signal);
      this.#summary = summary;
      this.#table.requestUpdate();
      if (this.#onItsWay || !summary.data.some((row) => row.processing_count)) return;
      const { OnItsWay } = await import('./on-its-way.ts');
      this.#onItsWay = new OnItsWay(this.#table);
      this.#table.requestUpdate();
    } catch {
      // The rows themselves show the error.
    }
  }

  reset() {
    this.#summary = this.#onItsWay = undefined;
  }

  renderOnItsWay() {
    return this.#summary && this.#onItsWay?.render(this.#summary);
  }

  /**
   * The currency with the most donations has reserved space. Further currencies open over the rows,
   * because their height is unknown before they load.
   */
  render() {
    // A currency may have only payments whose money is on its way.
    const [main, ...others] = (this.#summary?.data ?? [])
      .filter(({ count }) => count)
      .toSorted((one, other) => other.count - one.count);
    return html`<div class="totals" part="totals">
      ${main ? this.#renderSums(main) : nothing}
      ${
        others.length
          ? html`<details>
              <summary>
                +
                ${others.map(
                  ({ currency }, index) =>
                    html`${index ? ', ' : ''}<bdi>${currency.toUpperCase()}</bdi>`,
                )}
              </summary>
              <div tabindex="0">${others.map((sums) => this.#renderSums(sums))}</div>
            </details>`
          : nothing
      }
    </div>`;
  }

  #renderSums({ currency, count, net_cents, ...sums }: DonationSums) {
    const { language, messages } = this.#table.display;
    const money = (cents: number) => formatMoney(cents, currency, language);
    const tiles: [string, string | false][] = [
      [messages.donations, formatCount(count, language)],
      [messages.gross, money(sums.gross_cents)],
      [messages.net, net_cents !== null && money(net_cents)],
      [messages.refunded, money(sums.refunded_cents)],
      [messages.disputed, sums.disputed_cents > 0 && money(sums.disputed_cents)],
    ];
    return html`<dl class="totals-list">
      ${tiles.map(([name, value]) =>
        value
          ? html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`
          : nothing,
      )}
    </dl>`;
  }
}
