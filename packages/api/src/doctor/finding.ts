/** What was found out about one thing that has to be right. */
export interface Finding {
  /** `unsure` is no fault: nobody can tell yet, or it only matters later. */
  is: 'right' | 'unsure' | 'wrong';
  what: string;
  /** What to do, where something is to be done. */
  todo?: string;
}

export const right = (what: string): Finding => ({ is: 'right', what });
export const unsure = (what: string, todo: string): Finding => ({ is: 'unsure', what, todo });
export const wrong = (what: string, todo: string): Finding => ({ is: 'wrong', what, todo });

const MARKS = { right: '✓', unsure: '?', wrong: '✗' } as const;

/** A line, and below it what to do. */
export const lineOf = ({ is, what, todo }: Finding): string =>
  `${MARKS[is]} ${what}${todo ? `\n    ${todo}` : ''}\n`;
