import { html, nothing } from 'lit';
import type { Donation, List, Payout, BalanceTransaction } from '@connect-embed/contract';
import { balanceTransactionKind } from '@connect-embed/contract/balance-transaction-kind';
import { renderDate, renderMoney, renderName, UNKNOWN } from './format.ts';
import type { DisplayOptions } from './column.ts';

/** Parts per request. */
const PAGE_SIZE = 25;

/** Loads the data of `PayoutTransactions` and re-renders its element. */
interface PayoutTransactionsSource {
  fetchTransactions(query: string): Promise<List<BalanceTransaction>>;
  requestUpdate(): void;
  /**
   * Donations of the payout, which include donor names; undefined if the session may not read
   * donations.
   */
  fetchDonations(cursor: string | null): Promise<List<Donation> | undefined>;
  /** A donation of an earlier payout, which this payout refunds or whose dispute it contains. */
  fetchDonation(donationId: string): Promise<Donation>;
  /** URL of a donation's page; undefined if the host page has none. */
  linkToDonation(donationId: string): string | undefined;
}

/** The table of the transactions of which a payout consists. */
export class PayoutTransactions {
  readonly #source: PayoutTransactionsSource;
  #parts: BalanceTransaction[] = [];
  #cursor: string | null = null;
  /** Identifies the latest request while it runs; earlier responses are ignored. */
  #currentLoad: object | undefined;
  #failed = false;
  /** Donor names by donation id, for the shown parts; undefined if the session may not read donations. */
  #donors: Map<string, string | null> | undefined;
  #donorPages: AsyncGenerator<Donation[]> | undefined;

  constructor(source: PayoutTransactionsSource) {
    this.#source = source;
  }

  /** Loads the first page. The current parts stay visible until it arrives. */
  loadFirstPage(): Promise<void> {
    return this.#load(null);
  }

  render(display: DisplayOptions, payout: Payout) {
    return html`${this.#parts.length ? this.#renderTable(display) : nothing}
    ${this.#isComplete(payout) ? nothing : this.#renderUnlisted(display, payout)}
    ${
      this.#failed
        ? html`<div class="note" role="alert">
            <p>${display.messages.failed}</p>
            <button class="secondary" @click=${this.#loadMore}>${display.messages.retry}</button>
          </div>`
        : nothing
    }
    ${this.#cursor && !this.#failed ? this.#renderMore(display) : nothing}`;
  }

  /** Whether the parts add up to the payout, or others are still to be loaded. */
  #isComplete({ amount_cents }: Payout) {
    if (this.#cursor || this.#failed) return true;
    return this.#parts.reduce((sum, part) => sum + part.net_amount_cents, 0) === amount_cents;
  }

  #renderUnlisted({ messages }: DisplayOptions, { automatic }: Payout) {
    return html`<p class="note">
      ${automatic === false ? messages.notItemized : messages.noParts}
    </p>`;
  }

  readonly #loadMore = () => {
    if (!this.#currentLoad) void this.#load(this.#cursor);
  };

  async #load(cursor: string | null) {
    const load = (this.#currentLoad = {});
    this.#source.requestUpdate();
    const limit = `${PAGE_SIZE}`;
    const query = new URLSearchParams(cursor ? { limit, cursor } : { limit });
    try {
      const page = await this.#source.fetchTransactions(`${query}`);
      if (load !== this.#currentLoad) return; // A newer request has started.
      this.#parts = cursor ? [...this.#parts, ...page.data] : page.data;
      this.#cursor = page.next_cursor;
      this.#failed = false;
      if (!cursor) {
        this.#donors = undefined;
        this.#donorPages = this.#donationPages();
      }
      void this.#loadDonors(this.#donorPages!);
    } catch {
      if (load !== this.#currentLoad) return;
      if (!cursor) this.#parts = [];
      // Only the parts are missing: the payout itself is still shown.
      this.#failed = true;
    }
    this.#currentLoad = undefined;
    this.#source.requestUpdate();
  }

  /** Yields the payout's donations page by page; nothing if the session may not read donations. */
  async *#donationPages() {
    let cursor: string | null = null;
    do {
      // oxlint-disable-next-line no-await-in-loop -- a page's cursor comes with the one before it.
      const page: List<Donation> | undefined = await this.#source.fetchDonations(cursor);
      if (!page) return;
      yield page.data;
      cursor = page.next_cursor;
    } while (cursor);
  }

  /** Loads donations until the donor of every shown part is known. */
  async #loadDonors(pages: AsyncGenerator<Donation[]>) {
    const parts = this.#parts;
    const isUnknown = ({ donation_id: id }: BalanceTransaction) =>
      id !== null && !this.#donors?.has(id);
    try {
      while (parts === this.#parts && parts.some(isUnknown)) {
        // oxlint-disable-next-line no-await-in-loop -- no more pages than the parts need.
        const { value, done } = await pages.next();
        if (pages !== this.#donorPages) return;
        // A session that may not read donations has no page.
        if (done && !this.#donors) return;
        const donations = done
          ? // oxlint-disable-next-line no-await-in-loop -- runs once, after the last page.
            await Promise.all(parts.filter(isUnknown).map(this.#loadDonation))
          : value;
        this.#donors ??= new Map();
        for (const { id, donor_name } of donations) this.#donors.set(id, donor_name);
        this.#source.requestUpdate();
      }
    } catch {
      // The parts are shown without their donors.
    }
  }

  readonly #loadDonation = ({ donation_id: id }: BalanceTransaction) =>
    this.#source.fetchDonation(id!);

  /** The roles are explicit for the card layout, as in `tables/table-view.ts`. */
  #renderTable(display: DisplayOptions) {
    const { messages } = display;
    const labels = [messages.kind, messages.date, messages.gross, messages.fee, messages.net];
    if (this.#donors) labels.splice(1, 0, messages.donor);
    const firstSumIndex = labels.length - 3;
    return html`<table role="table" part="transactions">
      <caption>
        ${messages.parts}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${labels.map(
            (label, index) =>
              html`<th
                role="columnheader"
                scope="col"
                class=${index >= firstSumIndex ? 'number' : ''}
              >
                ${label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${this.#parts.map((part) => this.#renderPart(part, labels, display))}
      </tbody>
      ${this.#cursor ? nothing : this.#renderSum(labels, display)}
    </table>`;
  }

  /** The sum row, rendered once all parts are loaded. All parts of a payout have the same currency. */
  #renderSum(labels: string[], display: DisplayOptions) {
    const { currency } = this.#parts[0]!;
    const sums = (['amount_cents', 'fee_cents', 'net_amount_cents'] as const).map((name) =>
      this.#parts.reduce((sum, part) => sum + part[name], 0),
    );
    return html`<tbody role="rowgroup" class="total">
      <tr role="row">
        <th role="rowheader" scope="row" colspan=${labels.length - 3}>${display.messages.sum}</th>
        ${sums.map(
          (cents, index) =>
            html`<td role="cell" class="number" data-label=${labels.at(index - 3)!}>
              ${renderMoney(cents, currency, display)}
            </td>`,
        )}
      </tr>
    </tbody>`;
  }

  #renderPart(part: BalanceTransaction, labels: string[], display: DisplayOptions) {
    const { messages } = display;
    const { donation_id, created_at, currency } = part;
    const kind = balanceTransactionKind(part);
    const name = kind === 'payment' ? messages.otherPayment : messages[kind];
    const link = donation_id === null ? undefined : this.#source.linkToDonation(donation_id);
    const sums = [part.amount_cents, part.fee_cents, part.net_amount_cents];
    return html`<tr role="row">
      <th role="rowheader" scope="row" data-label=${labels[0]!}>
        ${link ? html`<a href=${link}>${name}</a>` : name}
      </th>
      ${
        this.#donors
          ? html`<td role="cell" data-label=${messages.donor}>
              ${donation_id === null ? UNKNOWN : this.#renderDonor(donation_id, display)}
            </td>`
          : nothing
      }
      <td role="cell" data-label=${messages.date}>${renderDate(created_at, display)}</td>
      ${sums.map(
        (cents, index) =>
          html`<td role="cell" class="number" data-label=${labels.at(index - 3)!}>
            ${renderMoney(cents, currency, display)}
          </td>`,
      )}
    </tr>`;
  }

  #renderDonor(donationId: string, display: DisplayOptions) {
    const name = this.#donors?.get(donationId);
    return name === undefined ? nothing : renderName(name, display);
  }

  #renderMore({ messages }: DisplayOptions) {
    return html`<p class="more">
      <button
        class="secondary"
        part="more-button"
        aria-disabled=${this.#currentLoad ? 'true' : nothing}
        @click=${this.#loadMore}
      >
        ${this.#currentLoad ? messages.loadingMore : messages.more}
      </button>
    </p>`;
  }
}
