/**
 * The English texts of the goal meter. `raisedOf` and `raised` follow the sum, which is a separate
 * element.
 */
export const goalTexts = {
  raised: 'raised',
  raisedOf: 'raised of {goal}',
  now: '{raised} raised so far',
  nowOf: '{raised} raised of {goal}',
};

export type GoalMessages = Record<keyof typeof goalTexts, string>;
