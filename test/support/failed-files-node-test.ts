import type { TestEvent } from 'node:test/reporters';
import { recordFailedFile } from './failed-files.ts';

/**
 * A reporter for `node --test` that prints nothing and records the test files that failed. It records
 * them at the end: if the runner dies, nothing is recorded and the whole stage runs again.
 *
 * The summary of a file names the file even if the failed test was declared by a helper. A file that
 * did not load, exited with an error or failed in its last hook is reported as a test without
 * parents that has no `entryFile`, or the file's path as its name.
 */
export default async function* failedFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const failed = new Set<string>();
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file && !data.success) failed.add(data.file);
    if (type !== 'test:fail' || data.todo !== undefined || data.nesting > 0) continue;
    const { entryFile } = data as { entryFile?: string };
    const file = entryFile ?? data.file;
    if (file) failed.add(file);
  }
  failed.forEach(recordFailedFile);
  yield '';
}
