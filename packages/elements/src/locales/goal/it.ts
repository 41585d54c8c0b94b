import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'raccolti',
  raisedOf: 'raccolti su {goal}',
  now: '{raised} raccolti finora',
  nowOf: '{raised} raccolti su {goal}',
};
