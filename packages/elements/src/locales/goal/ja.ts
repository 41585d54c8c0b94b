import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: '集まっています',
  raisedOf: '集まっています（目標 {goal}）',
  now: 'これまでに {raised} 集まりました',
  nowOf: '目標 {goal} のうち {raised} が集まりました',
};
