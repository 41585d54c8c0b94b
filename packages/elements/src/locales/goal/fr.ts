import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'collectés',
  raisedOf: 'collectés sur {goal}',
  now: '{raised} collectés à ce jour',
  nowOf: '{raised} collectés sur {goal}',
};
