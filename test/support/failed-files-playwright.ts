import type { FullConfig, Reporter, Suite, TestCase } from 'playwright/types/testReporter';
import { recordFailedFile } from './failed-files.ts';

/**
 * A Playwright reporter that records the test files with a failed test, and those that did not run
 * because another project failed.
 *
 * It records nothing if the failure may not repeat with these files alone, so that everything runs
 * again: an error outside of tests, and a failed project that checks the output of all others (a
 * teardown project).
 */
export default class FailedFiles implements Reporter {
  #tests: TestCase[] = [];
  #teardowns: (string | undefined)[] = [];
  #hasGlobalError = false;

  onBegin(config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
    this.#teardowns = config.projects.map(({ teardown }) => teardown);
  }

  onError(): void {
    this.#hasGlobalError = true;
  }

  onEnd(): void {
    const failed = this.#tests.filter(
      (test) => test.results.length === 0 || test.outcome() === 'unexpected',
    );
    const isTeardown = (test: TestCase) => this.#teardowns.includes(test.parent.project()?.name);
    if (this.#hasGlobalError || failed.some(isTeardown)) return;
    for (const { location } of failed) recordFailedFile(location.file);
  }

  printsToStdio(): boolean {
    return false;
  }
}
