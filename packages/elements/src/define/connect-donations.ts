import { ConnectDonations } from '../connect-donations.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';

// The provider is defined first: a table outside any provider creates its own.
define({ 'connect-provider': ConnectProvider, 'connect-donations': ConnectDonations });

export { ConnectDonations };
