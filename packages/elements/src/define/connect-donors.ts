import { ConnectDonors } from '../connect-donors.ts';
import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';

// The provider is defined first: a table outside any provider creates its own.
define({ 'connect-provider': ConnectProvider, 'connect-donors': ConnectDonors });

export { ConnectDonors };
