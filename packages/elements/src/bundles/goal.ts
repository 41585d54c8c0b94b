import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../internal/define-once.ts';
import { setScriptUrl } from '../internal/resolve-server.ts';

setScriptUrl(import.meta.url);
define({ 'connect-goal': ConnectGoal });
