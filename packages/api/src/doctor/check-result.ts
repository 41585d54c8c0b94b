/** Result of one check of the command `connect doctor`. */
export interface CheckResult {
  /** `unsure` is not a fault: it cannot be determined yet, or it only matters later. */
  status: 'right' | 'unsure' | 'wrong';
  message: string;
  /** How to fix the problem. */
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

/** Formats the result as one line, followed by a line with the fix. */
export const formatResult = ({ status, message, fix }: CheckResult): string =>
  `${SYMBOLS[status]} ${message}${fix ? `\n    ${fix}` : ''}\n`;
