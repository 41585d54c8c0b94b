import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: '已筹得',
  raisedOf: '已筹得，目标 {goal}',
  now: '目前已筹得 {raised}',
  nowOf: '目标 {goal}，已筹得 {raised}',
};
