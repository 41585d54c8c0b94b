import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'arrecadados',
  raisedOf: 'arrecadados de {goal}',
  now: '{raised} arrecadados até agora',
  nowOf: '{raised} arrecadados de {goal}',
};
