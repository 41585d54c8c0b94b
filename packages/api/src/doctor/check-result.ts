/** What was found out about one thing that has to be right. */
export interface CheckResult {
  /** `unsure` is no fault: nobody can tell yet, or it only matters later. */
  status: 'right' | 'unsure' | 'wrong';
  message: string;
  /** What to do, where something is to be done. */
  fix?: string;
}

export const ok = (message: string): CheckResult => ({ status: 'right', message });
export const warning = (message: string, fix: string): CheckResult => ({
  status: 'unsure',
  message,
  fix,
});
export const failure = (message: string, fix: string): CheckResult => ({
  status: 'wrong',
  message,
  fix,
});

const SYMBOLS = { right: '✓', unsure: '?', wrong: '✗' } as const;

/** A line, and below it what to do. */
export const formatResult = ({ status, message, fix }: CheckResult): string =>
  `${SYMBOLS[status]} ${message}${fix ? `\n    ${fix}` : ''}\n`;
