import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'opgehaald',
  raisedOf: 'van {goal} opgehaald',
  now: 'Tot nu toe {raised} opgehaald',
  nowOf: '{raised} van {goal} opgehaald',
};
