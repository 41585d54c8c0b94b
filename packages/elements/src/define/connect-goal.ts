import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../shared/define-once.ts';

define({ 'connect-goal': ConnectGoal });

export { ConnectGoal };
