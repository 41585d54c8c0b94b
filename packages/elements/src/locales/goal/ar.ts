import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'تم جمعها',
  raisedOf: 'تم جمعها من أصل {goal}',
  now: 'تم جمع {raised} حتى الآن',
  nowOf: 'تم جمع {raised} من أصل {goal}',
};
