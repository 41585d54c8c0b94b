import { ConnectDonations } from '../connect-donations.ts';
import { ConnectDonors } from '../connect-donors.ts';
import { ConnectPayouts } from '../connect-payouts.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../internal/define-once.ts';
import { setScriptUrl } from '../internal/script-url.ts';

setScriptUrl(import.meta.url);
define({
  // First, so that tables find it.
  'connect-provider': ConnectProvider,
  'connect-donations': ConnectDonations,
  'connect-donors': ConnectDonors,
  'connect-payouts': ConnectPayouts,
});

// Whether or not their tags are seen: they may come later, or stand in shadow roots.
setTimeout(() => import('./details.ts').catch(() => {}), 100);

export * from './lit.ts';
