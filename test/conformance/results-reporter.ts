import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A finished test: its file from the root, its title with those around it, and how it ended. */
export interface Result {
  file: string;
  title: string;
  outcome: 'passes' | 'fails' | 'skipped';
}

/** Between a title and those around it. */
export const WITHIN = ' › ';

/**
 * A reporter for `node --test`: one line of JSON for each test, no times, so that two runs of the
 * same tests write the same.
 */
export default async function* results(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const around: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      around.length = data.nesting;
      around[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.file === undefined) continue;
    const title = [...around.slice(0, data.nesting), data.name].join(WITHIN);
    const result: Result = {
      file: relative(process.cwd(), data.file),
      title,
      outcome: data.skip ? 'skipped' : type === 'test:pass' ? 'passes' : 'fails',
    };
    yield `${JSON.stringify(result)}\n`;
  }
}
