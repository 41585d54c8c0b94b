import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../internal/define-once.ts';
import { setScriptHome } from '../internal/script-home.ts';

setScriptHome(import.meta.url);
define({ 'connect-goal': ConnectGoal });
