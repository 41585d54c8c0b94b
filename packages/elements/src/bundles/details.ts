import { ConnectDonationDetails } from '../connect-donation-details.ts';
import { ConnectPayoutDetails } from '../connect-payout-details.ts';
import { define } from '../internal/define-once.ts';

/** The records behind a row: a later file of the tables' bundle, for pages that show one. */
define({
  'connect-donation-details': ConnectDonationDetails,
  'connect-payout-details': ConnectPayoutDetails,
});
