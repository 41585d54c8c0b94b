import { ConnectDonationDetails } from '../connect-donation-details.ts';
import { ConnectPayoutDetails } from '../connect-payout-details.ts';
import { define } from '../shared/define-once.ts';

/**
 * Bundle entry of the detail drawers. The tables' bundle loads it as a separate chunk after the
 * tables are defined.
 */
define({
  'connect-donation-details': ConnectDonationDetails,
  'connect-payout-details': ConnectPayoutDetails,
});
