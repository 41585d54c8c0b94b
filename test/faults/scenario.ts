import type { AttemptedDonation } from './support/donor.ts';
import type { TestWorld, WorldOptions } from './world.ts';

/** What a run of a scenario is given, and gives back. */
export interface ScenarioRun {
  /** How often the fault strikes. */
  runs: number;
  /** Every gift that a donor meant to give, with what the donor was told. */
  donations: AttemptedDonation[];
  /** Figures beyond those that every scenario has, for the report. */
  figures: string[];
  /** To be called after each run. */
  progress(done: number): void;
}

/** One kind of trouble. Whatever it does to the world, the books are right in the end. */
export interface Scenario {
  name: string;
  /** What strikes, and when. */
  faults: string;
  runs: { long: number; short: number };
  world?: Pick<WorldOptions, 'embedded' | 'worker' | 'reports'>;
  /** Breaks things while people give. Every room runs again when it returns. */
  run(world: TestWorld, scene: ScenarioRun): Promise<void>;
  /** What else must be so, once the books agree: a sentence for each thing that is not. */
  check?(world: TestWorld, scene: ScenarioRun): Promise<string[]>;
}
