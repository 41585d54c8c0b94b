import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'recaudados',
  raisedOf: 'recaudados de {goal}',
  now: '{raised} recaudados hasta ahora',
  nowOf: '{raised} recaudados de {goal}',
};
