import { ConnectProvider } from '../connect-provider.ts';
import { define } from '../internal/define-once.ts';

define({ 'connect-provider': ConnectProvider });

export { ConnectProvider };
