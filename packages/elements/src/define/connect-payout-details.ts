import { ConnectPayoutDetails } from '../connect-payout-details.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../internal/define-once.ts';

// The provider first: an element that stands in none makes one of its own.
define({ 'connect-provider': ConnectProvider, 'connect-payout-details': ConnectPayoutDetails });

export { ConnectPayoutDetails };
