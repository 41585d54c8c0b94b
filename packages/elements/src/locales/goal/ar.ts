import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'تم جمعها',
  raisedOf: 'تم جمعها من أصل {goal}',
  now: 'تم جمع {raised} حتى الآن',
  nowOf: 'تم جمع {raised} من أصل {goal}',
};
