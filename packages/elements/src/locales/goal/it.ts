import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'raccolti',
  raisedOf: 'raccolti su {goal}',
  now: '{raised} raccolti finora',
  nowOf: '{raised} raccolti su {goal}',
};
