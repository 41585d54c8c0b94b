import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A finished test: its file from the root, its title with those around it, and how it ended. */
export interface Result {
  file: string;
  title: string;
  outcome: 'passes' | 'fails' | 'skipped';
}

/** Between a title and those around it. */
export const TITLE_SEPARATOR = ' › ';

/**
 * A reporter for `node --test`: one line of JSON for each test, no times, so that two runs of the
 * same tests write the same.
 */
export default async function* results(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const parentTitles: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      parentTitles.length = data.nesting;
      parentTitles[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.file === undefined) continue;
    const title = [...parentTitles.slice(0, data.nesting), data.name].join(TITLE_SEPARATOR);
    const result: Result = {
      file: relative(process.cwd(), data.file),
      title,
      outcome: data.skip ? 'skipped' : type === 'test:pass' ? 'passes' : 'fails',
    };
    yield `${JSON.stringify(result)}\n`;
  }
}
