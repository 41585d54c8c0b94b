import { ConnectDonate } from '../connect-donate.ts';
import { define } from '../internal/define-once.ts';
import { setScriptHome } from '../internal/script-home.ts';

setScriptHome(import.meta.url);
define({ 'connect-donate': ConnectDonate });

export * from './lit.ts';
