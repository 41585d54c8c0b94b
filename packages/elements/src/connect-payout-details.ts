import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { Payout } from '@connect-embed/contract';
import { warnOnce } from './shared/warn-once.ts';
import { DetailsElement } from './tables/details-element.ts';
import { donationOfPayout, payoutDonations } from './tables/payout-donations.ts';
import { payoutColumns } from './tables/payout-columns.ts';
import { PayoutTransactions } from './tables/payout-transactions.ts';

/**
 * The details of one payout to the bank account, with its transactions: donations, refunds, disputes, fees and others.
 *
 * @tag connect-payout-details
 * @slot empty - Shown when no payout is selected.
 * @csspart transactions - The `<table>` of the payout's transactions.
 * @csspart more-button - The button that loads more of them.
 */
export class ConnectPayoutDetails extends DetailsElement<Payout> {
  /** Id of the payout, such as `po_…`. */
  @property({ attribute: 'payout-id' }) payoutId = '';

  /** URL of the page that shows a donation, with `{id}` for its id: `/donations/{id}`. */
  @property({ attribute: 'donation-link' }) donationLink = '';

  readonly #parts = new PayoutTransactions({
    fetchTransactions: (query) =>
      this.pages.readPath(`${this.pages.path}/transactions?${query}`, this.pages.abort.signal),
    requestUpdate: () => this.requestUpdate(),
    fetchDonation: (id) => donationOfPayout(this.pages, id),
    fetchDonations: (cursor) => payoutDonations(this, this.pages, this.payoutId)(cursor),
    linkToDonation: (id) => this.#linkTo(id),
  });

  constructor() {
    super('payouts');
  }

  /** @internal */
  override get caption() {
    return this.language.messages.payout;
  }

  protected override readonly order = [
    'amount',
    'status',
    'arrival_date',
    'created',
    'description',
    'statement',
    'reference',
  ];

  protected override get recordId() {
    return this.payoutId;
  }

  protected override readonly columns = payoutColumns;

  /** @internal Waits for the first parts, so that they do not shift the content below when they arrive. */
  override async whenReady() {
    const parts = this.pages.record && this.#parts.loadFirstPage();
    await Promise.all([super.whenReady(), parts]);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has('payoutId')) this.reloadIfLoaded();
  }

  protected override renderMore() {
    return this.#parts.render(this.display, this.pages.record!);
  }

  /** Returns the donation's URL. Only http and https are allowed, so the link cannot run a script. */
  #linkTo(id: string): string | undefined {
    const { donationLink } = this;
    if (!donationLink) return undefined;
    try {
      const url = new URL(
        donationLink.replaceAll('{id}', encodeURIComponent(id)),
        document.baseURI,
      );
      if (donationLink.includes('{id}') && /^https?:$/.test(url.protocol)) return url.href;
    } catch {
      // The URL cannot be parsed.
    }
    const allowed = 'a URL that contains {id}, such as /donations/{id}';
    warnOnce(this, 'donation-link', donationLink, allowed);
    return undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-payout-details': ConnectPayoutDetails;
  }
}
