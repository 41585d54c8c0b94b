import { ConnectDonations } from '../connect-donations.ts';
import { ConnectDonors } from '../connect-donors.ts';
import { ConnectPayouts } from '../connect-payouts.ts';
import { define } from '../internal/define-once.ts';
import { setScriptHome } from '../internal/script-home.ts';

setScriptHome(import.meta.url);
define({
  'connect-donations': ConnectDonations,
  'connect-donors': ConnectDonors,
  'connect-payouts': ConnectPayouts,
});

export * from './lit.ts';
