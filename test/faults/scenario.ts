import type { AttemptedDonation } from './support/donor.ts';
import type { SystemUnderTest, SystemOptions } from './system-under-test.ts';

/** Input and output of a run of a fault scenario (`npm run test:faults`). */
export interface ScenarioRun {
  /** How often the fault is injected. */
  runs: number;
  /** Every attempted donation, with the result that the donor's form showed. */
  donations: AttemptedDonation[];
  /** Additional figures of this scenario for the report. */
  figures: string[];
  /** Must be called after each run. */
  progress(done: number): void;
}

/** A kind of fault. Donations and payments must be equal at the end. */
export interface Scenario {
  name: string;
  /** Describes the fault and its time, for docs/faults.md. */
  faults: string;
  runs: { long: number; short: number };
  system?: Pick<SystemOptions, 'usesEmbeddedPostgres' | 'hasWorker' | 'sendsEvents'>;
  /**
   * Injects faults while donors donate. Every service must run again when this function returns.
   */
  run(system: SystemUnderTest, run: ScenarioRun): Promise<void>;
  /** Additional checks after reconciliation: a sentence for each violated expectation. */
  check?(system: SystemUnderTest, scenarioRun: ScenarioRun): Promise<string[]>;
}
