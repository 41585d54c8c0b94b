/** Pino's number for the level `fatal`. */
const FATAL = 60;

/**
 * Returns the line for an error that ends a process: in production one line of JSON, as all lines of the
 * log, otherwise the sentence for a person: docs/decisions/0108-metrics-and-logs.md
 */
export const fatalLine = (
  isProduction: boolean,
  entry: { service: string; version: string; msg: string },
): string =>
  isProduction ? JSON.stringify({ level: FATAL, time: Date.now(), ...entry }) : entry.msg;
