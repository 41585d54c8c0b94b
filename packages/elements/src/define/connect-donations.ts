import { ConnectDonations } from '../connect-donations.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../internal/define-once.ts';

// The provider first: a table that stands in none makes one of its own.
define({ 'connect-provider': ConnectProvider, 'connect-donations': ConnectDonations });

export { ConnectDonations };
