import { ConnectDonationDetails } from '../connect-donation-details.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';

// The provider is defined first: an element outside any provider creates its own.
define({ 'connect-provider': ConnectProvider, 'connect-donation-details': ConnectDonationDetails });

export { ConnectDonationDetails };
