import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'collectés',
  raisedOf: 'collectés sur {goal}',
  now: '{raised} collectés à ce jour',
  nowOf: '{raised} collectés sur {goal}',
};
