import { ConnectDonate } from './connect-donate.ts';
import { ConnectDonations } from './connect-donations.ts';
import { ConnectDonors } from './connect-donors.ts';
import { ConnectPayouts } from './connect-payouts.ts';
import { define } from './internal/define-once.ts';

define({
  'connect-donate': ConnectDonate,
  'connect-donations': ConnectDonations,
  'connect-donors': ConnectDonors,
  'connect-payouts': ConnectPayouts,
});
