import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'נאספו',
  raisedOf: 'נאספו מתוך {goal}',
  now: 'עד כה נאספו {raised}',
  nowOf: 'נאספו {raised} מתוך {goal}',
};
