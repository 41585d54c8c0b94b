import type { Payout } from '@connect-embed/contract';
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { ConnectPayouts } from './connect-payouts.ts';
import { warnOnce } from './internal/resolve-server.ts';
import { DetailsElement } from './tables/details-element.ts';
import { payoutDonations } from './tables/payout-donations.ts';
import { PayoutParts } from './tables/payout-parts.ts';
import type { DisplayOptions } from './tables/table-element.ts';
import { deferredTexts as texts } from './tables/deferred-texts.ts';

/**
 * One payout to the organization's bank account, and the gifts, refunds and disputes in it.
 *
 * @tag connect-payout-details
 * @slot empty - Shown when no payout is chosen.
 * @csspart parts - The `<table>` of what it is made of.
 * @csspart more - The button that reads further parts.
 */
export class ConnectPayoutDetails extends DetailsElement<Payout> {
  static override properties: PropertyDeclarations = {
    payoutId: { attribute: 'payout-id' },
    donationLink: { attribute: 'donation-link' },
  };

  /** Which payout is shown, such as `po_…`. */
  payoutId = '';

  /** Where the page shows a donation, with its id as `{id}`: `/donations/{id}`. */
  donationLink = '';

  readonly #parts = new PayoutParts({
    fetchParts: (query) =>
      this.pages.readPath(`${this.pages.path}/donations?${query}`, this.pages.abort.signal),
    requestUpdate: () => this.requestUpdate(),
    fetchDonations: (cursor) => payoutDonations(this, this.pages, this.payoutId)(cursor),
    linkToDonation: (id) => this.#linkTo(id),
  });

  constructor() {
    super('payouts');
  }

  /** @internal */
  override get caption() {
    return texts.payout;
  }

  protected override readonly order =
    'amount status arrival_date created description statement reference'.split(' ');

  protected override get recordId() {
    return this.payoutId;
  }

  protected override columns(look: DisplayOptions) {
    return ConnectPayouts.prototype.defaultColumns(look);
  }

  /** @internal Its parts come with it: nothing moves below. */
  override async beforeShown() {
    const parts = this.pages.record && this.#parts.first();
    await Promise.all([super.beforeShown(), parts]);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('payoutId')) this.loadOther();
    super.willUpdate(changed);
  }

  protected override renderMore() {
    return this.#parts.render(this.look);
  }

  /** An address of the web, with the id in its place; nothing that would run. */
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
      // No address at all.
    }
    const allowed = 'an address with {id} in it, such as /donations/{id}';
    warnOnce(this, 'donation-link', donationLink, allowed);
    return undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-payout-details': ConnectPayoutDetails;
  }
}
