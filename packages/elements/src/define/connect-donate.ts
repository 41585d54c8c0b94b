import { ConnectDonate } from '../connect-donate.ts';
import { define } from '../internal/define-once.ts';

define({ 'connect-donate': ConnectDonate });

export { ConnectDonate };
