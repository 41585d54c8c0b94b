import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { csvResponse } from './csv-response.ts';

test('a CSV export reads rows from the database only as fast as the browser downloads them', async () => {
  let pages = 0;
  async function* lines() {
    for (; pages < 2_000; pages += 1) yield 'a line of a page\r\n'.repeat(1000);
  }
  const app = new Hono().get('/', (c) => csvResponse(c, 'donations.csv', lines()));
  const response = await app.request('/');
  const reader = response.body!.getReader();
  const start = await reader.read();
  assert.deepEqual([...start.value!.slice(0, 3)], [0xef, 0xbb, 0xbf]);
  await reader.read();
  await nextTurn(); // All pages would be read by then.
  assert.ok(pages <= 3, `${pages} pages were read for a browser that took one`);
  await reader.cancel();
});
