import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../shared/define-once.ts';
import { setScriptUrl } from '../shared/resolve-server.ts';

setScriptUrl(import.meta.url);
define({ 'connect-goal': ConnectGoal });
