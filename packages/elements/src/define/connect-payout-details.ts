import { ConnectPayoutDetails } from '../connect-payout-details.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';

// The provider is defined first: an element outside any provider creates its own.
define({ 'connect-provider': ConnectProvider, 'connect-payout-details': ConnectPayoutDetails });

export { ConnectPayoutDetails };
