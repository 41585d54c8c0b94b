import { formatMoney } from '@connect-embed/contract/format-money';
import { html, nothing } from 'lit';
import type { DonationSummary, DonationSums } from '@connect-embed/contract';
import { formatCount } from './format-count.ts';
import type { Resource, TableElement } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

/** Count and sums of what the filters leave, added up by the API. */
export class Totals<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #summary: DonationSummary | undefined;
  #loadedFor: AbortSignal | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** Read once for each time the table begins anew, and again when `rows` are new. */
  update(added: boolean) {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status !== 'ready' || (signal === this.#loadedFor && !added)) return;
    this.#loadedFor = signal;
    pages
      .readPath<DonationSummary>(`/summary?${new URLSearchParams(pages.query)}`, signal)
      .then((summary) => {
        this.#summary = summary;
        this.#table.requestUpdate();
      })
      .catch(() => {}); // The rows tell of whatever is wrong.
  }

  reset() {
    this.#summary = undefined;
  }

  /** One currency has its place kept; others stand over the rows, for what they take nobody knew. */
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
    return html`<p class="sums">
      <strong>${texts.totals(formatCount(count, language))}</strong>
      <span>${texts.gross} ${money(gross_cents)}</span>
      ${net_cents === null ? nothing : html`<span>${texts.net} ${money(net_cents)}</span>`}
      <span>${texts.refunded} ${money(refunded_cents)}</span>
    </p>`;
  }
}
