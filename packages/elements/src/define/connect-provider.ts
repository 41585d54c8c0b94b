import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../shared/define-once.ts';

define({ 'connect-provider': ConnectProvider });

export { ConnectProvider };
