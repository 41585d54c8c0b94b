/** Result of one check of the command `connect-embed doctor`. */
export interface CheckResult {
  /** A `warning` is not a fault: the result cannot be determined yet, or only matters later. */
  status: 'passed' | 'warning' | 'failed';
  message: string;
  /** How to fix the problem. */
  fix?: string;
}

export const passed = (message: string): CheckResult => ({ status: 'passed', message });
export const warning = (message: string, fix: string): CheckResult => ({
  status: 'warning',
  message,
  fix,
});
export const failure = (message: string, fix: string): CheckResult => ({
  status: 'failed',
  message,
  fix,
});

const SYMBOLS = { passed: '✓', warning: '?', failed: '✗' } as const;

/** Formats the result as one line, followed by a line with the fix. */
export const formatResult = ({ status, message, fix }: CheckResult): string =>
  `${SYMBOLS[status]} ${message}${fix ? `\n    ${fix}` : ''}\n`;

export interface CheckOptions {
  /** URL of the BFF (`server/`) from which pages load the form. */
  server: string | undefined;
  /** Origins of pages that must be allowed to show the form. */
  origins: readonly string[];
  scriptsDir: string;
}
