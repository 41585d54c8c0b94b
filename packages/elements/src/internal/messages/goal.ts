/** What a goal says, in English. `raisedOf` and `raised` follow the sum, which stands by itself. */
export const goalTexts = {
  raised: 'raised',
  raisedOf: 'raised of {goal}',
  now: '{raised} raised so far',
  nowOf: '{raised} raised of {goal}',
};

export type GoalTexts = Record<keyof typeof goalTexts, string>;
