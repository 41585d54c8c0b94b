import { ConnectGoal } from '../connect-goal.ts';
import { define } from '../internal/define-once.ts';

define({ 'connect-goal': ConnectGoal });

export { ConnectGoal };
