import { ConnectDonations } from '../connect-donations.ts';
import { ConnectDonors } from '../connect-donors.ts';
import { ConnectPayouts } from '../connect-payouts.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';
import { setScriptUrl } from '../shared/server-address.ts';

setScriptUrl(import.meta.url);
define({
  // Defined first, because the tables look for a provider when they connect.
  'connect-provider': ConnectProvider,
  'connect-donations': ConnectDonations,
  'connect-donors': ConnectDonors,
  'connect-payouts': ConnectPayouts,
});

// Details elements may be added later or be inside shadow roots, so their tags are not searched
// for.
setTimeout(() => import('./details.ts').catch(() => {}), 100);
