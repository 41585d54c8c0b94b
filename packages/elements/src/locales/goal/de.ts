import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'gesammelt',
  raisedOf: 'von {goal} gesammelt',
  now: 'Bisher {raised} gesammelt',
  nowOf: '{raised} von {goal} gesammelt',
};
