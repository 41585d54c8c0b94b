import type { GoalMessages } from '../../internal/messages/goal.ts';

export const texts: GoalMessages = {
  raised: 'जुटाए गए',
  raisedOf: '{goal} में से जुटाए गए',
  now: 'अब तक {raised} जुटाए गए',
  nowOf: '{goal} में से {raised} जुटाए गए',
};
