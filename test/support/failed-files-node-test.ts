import type { TestEvent } from 'node:test/reporters';
import { recordFailedFile } from './failed-files.ts';
import { isTestGroup, LAST_TEST } from './test-groups.ts';

/**
 * A reporter for `node --test` that prints nothing and records the test files that failed. It records
 * them at the end: if the runner dies, nothing is recorded and the whole stage runs again.
 *
 * The summary of a file names the file even if the failed test was declared by a helper. A file that
 * did not load, exited with an error or failed in its last hook is reported as a test without
 * parents that has no `entryFile`, or the file's path as its name.
 *
 * In a test group, each test file is a suite without parents. A group without its last test did not run
 * all of its files and is recorded as a whole.
 */
export default async function* failedFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const failed = new Set<string>();
  const startedGroups = new Set<string>();
  const finishedGroups = new Set<string>();
  for await (const { type, data } of events) {
    const { entryFile } = data as { entryFile?: string };
    const isInGroup = isTestGroup(entryFile);
    if (isInGroup) startedGroups.add(entryFile);
    if (isInGroup && type === 'test:pass' && data.name === LAST_TEST) finishedGroups.add(entryFile);
    if (type === 'test:summary' && data.file && !data.success && !isTestGroup(data.file))
      failed.add(data.file);
    if (type !== 'test:fail' || data.todo !== undefined || data.nesting > 0) continue;
    if (data.name === LAST_TEST) continue; // The group counts as unfinished.
    const file = isInGroup ? data.name : (entryFile ?? data.file);
    if (file) failed.add(file);
  }
  const unfinishedGroups = [...startedGroups].filter((group) => !finishedGroups.has(group));
  [...failed, ...unfinishedGroups].forEach(recordFailedFile);
  yield '';
}
