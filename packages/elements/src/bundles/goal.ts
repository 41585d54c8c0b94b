import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../shared/define-once.ts';
import { setScriptUrl } from '../shared/server-address.ts';

setScriptUrl(import.meta.url);
define({ 'connect-goal': ConnectGoal });
