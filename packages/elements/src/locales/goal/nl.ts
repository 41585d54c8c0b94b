import type { GoalTexts } from '../../internal/messages/goal.ts';

export const texts: GoalTexts = {
  raised: 'opgehaald',
  raisedOf: 'van {goal} opgehaald',
  now: 'Tot nu toe {raised} opgehaald',
  nowOf: '{raised} van {goal} opgehaald',
};
