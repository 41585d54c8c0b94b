import { formatMoney } from '@connect-embed/contract/format-money';
import { html, nothing } from 'lit';
import type { DonationSummary } from '@connect-embed/contract';
import { formatCount } from './count.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** Count and sums of what the filters leave, added up by the API. */
export class Totals<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #summary: DonationSummary | undefined;
  #of: AbortSignal | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** Read once for each time the table begins anew, and again when `rows` are new. */
  follow(added: boolean) {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status !== 'ready' || (signal === this.#of && !added)) return;
    this.#of = signal;
    pages
      .ask<DonationSummary>(`/summary?${new URLSearchParams(pages.query)}`, signal)
      .then((summary) => {
        this.#summary = summary;
        this.#table.requestUpdate();
      })
      .catch(() => {}); // The rows tell of whatever is wrong.
  }

  render() {
    const { language } = this.#table.look;
    const sums = this.#summary?.data ?? [];
    return html`<p class="totals" part="totals">
      ${sums.map(({ currency, count: gifts, gross_cents, net_cents, refunded_cents }) => {
        const money = (cents: number) => formatMoney(cents, currency, language);
        return html`<span class="sums">
          <strong>${texts.totals(formatCount(gifts, language))}</strong>
          <span>${texts.gross} ${money(gross_cents)}</span>
          ${net_cents === null ? nothing : html`<span>${texts.net} ${money(net_cents)}</span>`}
          <span>${texts.refunded} ${money(refunded_cents)}</span>
        </span>`;
      })}
    </p>`;
  }
}
