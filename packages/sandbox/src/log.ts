/**
 * The levels that every program of this repository accepts in `LOG_LEVEL`, most important first.
 */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const isLogLevel = (text: string): text is LogLevel =>
  (LOG_LEVELS as readonly string[]).includes(text);

/** Prints a line; requests and events have the level `info`. */
export type Log = (line: string, level?: LogLevel) => void;

/** Prints lines that are at least as important as `threshold` to standard error. */
export const createLog =
  (threshold: LogLevel): Log =>
  (line, level = 'info') => {
    if (LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(threshold)) console.error(line);
  };
