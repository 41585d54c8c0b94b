import { ConnectDonationDetails } from '../connect-donation-details.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../internal/define-once.ts';

// The provider first: an element that stands in none makes one of its own.
define({ 'connect-provider': ConnectProvider, 'connect-donation-details': ConnectDonationDetails });

export { ConnectDonationDetails };
