import type { Donation } from '@connect-embed/contract';
import type { PropertyDeclarations, PropertyValues } from './shared/connect-element.ts';
import { ConnectDonations } from './connect-donations.ts';
import { DetailsElement } from './tables/details-element.ts';
import type { DisplayOptions } from './tables/column.ts';
import { messages } from './tables/table-messages.ts';

/**
 * The details of one donation: amounts, refund and dispute status, donor, fund and campaign.
 *
 * @tag connect-donation-details
 * @slot empty - Shown when no donation is selected.
 */
export class ConnectDonationDetails extends DetailsElement<Donation> {
  static override properties: PropertyDeclarations = {
    donationId: { attribute: 'donation-id' },
  };

  /** Id of the donation, such as `don_…`. */
  donationId = '';

  constructor() {
    super('donations');
  }

  /** @internal */
  override get caption() {
    return messages.donation;
  }

  protected override readonly order =
    'amount fee net refunded status dispute kind donor email fund campaign created_at source reference'.split(
      ' ',
    );

  protected override get recordId() {
    return this.donationId;
  }

  protected override columns(display: DisplayOptions) {
    return ConnectDonations.prototype.defaultColumns(display);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has('donationId')) this.reloadIfLoaded();
    super.willUpdate(changed);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donation-details': ConnectDonationDetails;
  }
}
