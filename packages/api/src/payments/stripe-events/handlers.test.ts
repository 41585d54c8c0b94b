import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HANDLERS } from './handlers.ts';

const GUIDE = join(import.meta.dirname, '../../../../../docs/operations.md');

test('the guide lists every Stripe event type that has a handler', () => {
  const rows = readFileSync(GUIDE, 'utf8').match(/^\|( `[a-z_.]+`)+ +\|/gm) ?? [];
  const documentedTypes = rows.join().match(/(?<=`)[a-z_]+\.[a-z_.]+(?=`)/g) ?? [];
  assert.deepEqual(documentedTypes.toSorted(), [...HANDLERS.keys()].sort());
});
