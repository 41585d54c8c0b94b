import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'gesammelt',
  raisedOf: 'von {goal} gesammelt',
  now: 'Bisher {raised} gesammelt',
  nowOf: '{raised} von {goal} gesammelt',
};
