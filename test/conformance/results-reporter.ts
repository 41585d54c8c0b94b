import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { isTestGroup, LAST_TEST } from '../support/test-groups.ts';

/**
 * A finished test: its file relative to the root, its title with all parent titles, and its
 * outcome.
 */
export interface Result {
  file: string;
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
}

/** Separates a title from its parent titles. */
const TITLE_SEPARATOR = ' › ';

/**
 * A reporter for `node --test` that writes one line of JSON for each test, without times, so that
 * runs are comparable. A test has the same title in a test group, whose suites without parents are
 * the test files.
 */
export default async function* results(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const parentTitles: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      parentTitles.length = data.nesting;
      parentTitles[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.file === undefined || data.name === LAST_TEST)
      continue;
    const { entryFile } = data as { entryFile?: string };
    const parents = parentTitles.slice(isTestGroup(entryFile) ? 1 : 0, data.nesting);
    const title = [...parents, data.name].join(TITLE_SEPARATOR);
    const result: Result = {
      file: relative(process.cwd(), data.file),
      title,
      outcome: data.skip ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
    };
    yield `${JSON.stringify(result)}\n`;
  }
}
