import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { Donation } from '@connect-embed/contract';
import { DetailsElement } from './tables/details-element.ts';
import { donationColumns } from './tables/donation-columns.ts';

/**
 * The details of one donation: amounts, refund and dispute status, donor, fund and campaign.
 *
 * @tag connect-donation-details
 * @slot empty - Shown when no donation is selected.
 */
export class ConnectDonationDetails extends DetailsElement<Donation> {
  /** Id of the donation, such as `don_…`. */
  @property({ attribute: 'donation-id' }) donationId = '';

  constructor() {
    super('donations');
  }

  /** @internal */
  override get caption() {
    return this.language.messages.donation;
  }

  protected override readonly order = [
    'amount',
    'fee',
    'dispute_fee',
    'net',
    'refunded',
    'disputed_amount',
    'status',
    'dispute',
    'kind',
    'donor',
    'email',
    'fund',
    'campaign',
    'created_at',
    'source',
    'reference',
  ];

  protected override get recordId() {
    return this.donationId;
  }

  protected override readonly columns = donationColumns;

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has('donationId')) this.reloadIfLoaded();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donation-details': ConnectDonationDetails;
  }
}
