import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'arrecadados',
  raisedOf: 'arrecadados de {goal}',
  now: '{raised} arrecadados até agora',
  nowOf: '{raised} arrecadados de {goal}',
};
