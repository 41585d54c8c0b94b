import { ConnectDonate } from '../connect-donate.ts';
import { define } from '../internal/define-once.ts';
import { setScriptHome } from '../internal/script-home.ts';

setScriptHome(import.meta.url);
// A task of its own, so that reading this file and drawing the form are two short ones:
// docs/decisions/0068-long-tasks.md
setTimeout(() => define({ 'connect-donate': ConnectDonate }));

export * from './lit.ts';
