import { ConnectDonationDetails } from './connect-donation-details.ts';
import { ConnectDonations } from './connect-donations.ts';
import { ConnectDonors } from './connect-donors.ts';
import { ConnectGoal } from './connect-goal.ts';
import { ConnectPayoutDetails } from './connect-payout-details.ts';
import { ConnectPayouts } from './connect-payouts.ts';
import { ConnectProvider } from './connect-provider.ts';
import { defineForm } from './form/define-form.ts';
import { define } from './shared/define-once.ts';

define({
  // Defined first, because the tables look for a provider when they connect.
  'connect-provider': ConnectProvider,
  'connect-donations': ConnectDonations,
  'connect-donors': ConnectDonors,
  'connect-payouts': ConnectPayouts,
  'connect-donation-details': ConnectDonationDetails,
  'connect-payout-details': ConnectPayoutDetails,
  'connect-goal': ConnectGoal,
});
defineForm();
