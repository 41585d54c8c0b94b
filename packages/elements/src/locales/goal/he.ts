import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'נאספו',
  raisedOf: 'נאספו מתוך {goal}',
  now: 'עד כה נאספו {raised}',
  nowOf: 'נאספו {raised} מתוך {goal}',
};
