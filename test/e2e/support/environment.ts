import type { Addresses } from '../../support/system.ts';

/** What the global setup tells the processes that run tests. */
export interface Environment {
  system: Addresses;
  /** Data folder of the system, in which the CLI finds the database. */
  dataDir: string;
  /** File to which the output of the system is copied. */
  outputFile: string;
  /** File with one character for each test that ran. */
  countFile: string;
  /** Local ports: of host pages, and those to which the API may send webhook events. */
  ports: Record<'pages' | 'receiver' | 'debits' | 'platform', number>;
}

const VARIABLE = 'E2E_ENVIRONMENT';

/** Worker processes inherit the variable. */
export function setEnvironment(environment: Environment): void {
  process.env[VARIABLE] = JSON.stringify(environment);
}

export const readEnvironment = () => JSON.parse(process.env[VARIABLE] ?? '') as Environment;
