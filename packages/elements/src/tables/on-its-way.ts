import type { DonationSummary, List, ProcessingPayment } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { formatPlural } from '@connect-embed/contract/format-plural';
import { html, nothing } from 'lit';
import { adoptStyles } from '../shared/adopt-styles.ts';
import type { Resource } from './column.ts';
import { formatCount, renderDate, renderMoney, renderName } from './format.ts';
import { matchesFilters } from './matches-filters.ts';
import { onItsWayStyles } from './on-its-way.styles.ts';
import type { TableElement } from './table-element.ts';

/** The line about payments whose money is on its way. It opens a list of them. */
export class OnItsWay<Row extends Resource> {
  readonly #table: TableElement<Row>;
  #payments: readonly ProcessingPayment[] = [];
  #cursor: string | null = null;
  #state: 'loading' | 'loaded' | 'failed' = 'loading';

  constructor(table: TableElement<Row>) {
    this.#table = table;
    adoptStyles(table, onItsWayStyles);
  }

  render({ data }: DonationSummary) {
    const sums = data.filter(({ processing_count }) => processing_count);
    if (!sums.length) return nothing;
    const { display } = this.#table;
    const { messages, messagesLanguage, language } = display;
    const count = sums.reduce((total, { processing_count = 0 }) => total + processing_count, 0);
    const amounts = sums.map(({ processing_amount_cents: cents = 0, currency }) =>
      formatMoney(cents, currency, language),
    );
    return html`<details class="on-its-way" @toggle=${this.#handleToggle}>
      <summary>
        ${formatPlural(messages.onTheirWay, count, messagesLanguage, {
          count: formatCount(count, language),
          amount: amounts.join(' + '),
        })}
      </summary>
      <div tabindex="0">${this.#renderList()}</div>
    </details>`;
  }

  #renderList() {
    const { display, pages } = this.#table;
    const { messages } = display;
    if (this.#state === 'failed') return html`<p role="alert">${messages.failed}</p>`;
    if (this.#state === 'loading') return html`<p role="status">${messages.loadingMore}</p>`;
    // The API filters the sums, but not this list.
    const shown = this.#payments.filter((payment) => matchesFilters(payment, pages.query));
    return html`<ul>
        ${shown.map(
          (payment) =>
            html`<li>
              <p>
                <span>${renderName(payment.donor_name, display)}</span>
                <strong>${renderMoney(payment.amount_cents, payment.currency, display)}</strong>
              </p>
              <p class="muted">
                <span>${renderDate(payment.created_at, display)}</span>
                <span>${this.#renderExpected(payment)}</span>
              </p>
            </li>`,
        )}
      </ul>
      ${
        this.#cursor
          ? html`<button class="secondary" @click=${() => void this.#load(this.#cursor)}>
              ${messages.more}
            </button>`
          : nothing
      }`;
  }

  #renderExpected({ expected_at }: ProcessingPayment) {
    const { display } = this.#table;
    return expected_at
      ? html`${display.messages.expected} ${renderDate(expected_at, display)}`
      : nothing;
  }

  readonly #handleToggle = (event: Event) => {
    if (!(event.currentTarget as HTMLDetailsElement).open) return;
    this.#payments = [];
    this.#state = 'loading';
    this.#table.requestUpdate();
    void this.#load(null);
  };

  async #load(cursor: string | null) {
    const { pages } = this.#table;
    const query = new URLSearchParams({
      status: 'processing',
      limit: '100',
      ...(cursor && { cursor }),
    });
    try {
      const page = await pages.session!.read<List<ProcessingPayment>>(
        pages.component,
        `/payment-intents?${query}`,
        pages.abort.signal,
      );
      this.#payments = cursor ? [...this.#payments, ...page.data] : page.data;
      this.#cursor = page.next_cursor;
      this.#state = 'loaded';
    } catch {
      this.#state = 'failed';
    }
    this.#table.requestUpdate();
  }
}
