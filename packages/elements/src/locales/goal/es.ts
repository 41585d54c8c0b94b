import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'recaudados',
  raisedOf: 'recaudados de {goal}',
  now: '{raised} recaudados hasta ahora',
  nowOf: '{raised} recaudados de {goal}',
};
