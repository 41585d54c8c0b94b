import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PolledResource } from './polled-resource.ts';

test('waits for the new version after a failure and a quiet time', async () => {
  let clock = 0;
  let value = 'old';
  let fails = false;
  const resource = new PolledResource(
    () => (fails ? Promise.reject(new Error('down')) : Promise.resolve({ value, etag: undefined })),
    () => clock,
  );
  await resource.get();
  fails = true;
  clock += 60_000;
  assert.equal(await resource.get(), 'old');
  assert.equal(await resource.get(), 'old');
  [fails, value] = [false, 'new'];
  clock += 3_600_000;
  assert.equal(await resource.get(), 'new');
});
