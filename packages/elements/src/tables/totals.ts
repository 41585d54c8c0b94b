import { formatMoney } from '@connect-embed/contract/format-money';
import { html, nothing } from '../shared/html.ts';
import type { DonationSummary, DonationSums } from '@connect-embed/contract';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';
import { messages } from './table-messages.ts';
import { pluralMessage } from './i18n.ts';

/** The totals tool: count and sums of all rows that match the filters, computed by the API. */
export class Totals<Row extends Resource> {
  readonly #table: TableHost<Row>;
  #summary: DonationSummary | undefined;
  #loadedFor: AbortSignal | undefined;

  constructor(table: TableHost<Row>) {
    this.#table = table;
  }

  /**
   * Loads the totals when the table loads a new first page, and when its rows have changed.
   *
   * @param hasChanged whether the rows have changed since the last call
   */
  update(hasChanged: boolean) {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status !== 'ready' || (signal === this.#loadedFor && !hasChanged)) return;
    this.#loadedFor = signal;
    pages
      .readPath<DonationSummary>(`/summary?${new URLSearchParams(pages.query)}`, signal)
      .then((summary) => {
        this.#summary = summary;
        this.#table.requestUpdate();
      })
      .catch(() => {}); // The rows themselves show the error.
  }

  reset() {
    this.#summary = undefined;
  }

  /**
   * The currency with the most donations has reserved space. Further currencies open over the rows,
   * because their height is unknown before they load.
   */
  render() {
    const [main, ...others] = (this.#summary?.data ?? []).toSorted(
      (one, other) => other.count - one.count,
    );
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

  #renderSums({ currency, count, gross_cents, net_cents, refunded_cents }: DonationSums) {
    const { language } = this.#table.display;
    const money = (cents: number) => formatMoney(cents, currency, language);
    return html`<p class="totals-list">
      <strong>${pluralMessage('totals', count, language)}</strong>
      <span>${messages.gross} ${money(gross_cents)}</span>
      ${net_cents === null ? nothing : html`<span>${messages.net} ${money(net_cents)}</span>`}
      <span>${messages.refunded} ${money(refunded_cents)}</span>
    </p>`;
  }
}
