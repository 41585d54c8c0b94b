import type { AttemptedDonation } from './support/donor.ts';
import type { TestWorld, WorldOptions } from './world.ts';

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
  world?: Pick<WorldOptions, 'embedded' | 'worker' | 'reports'>;
  /** Injects faults while donors give. Every service must run again when it returns. */
  run(world: TestWorld, run: ScenarioRun): Promise<void>;
  /** Additional checks after reconciliation: a sentence for each violated expectation. */
  check?(world: TestWorld, scene: ScenarioRun): Promise<string[]>;
}
