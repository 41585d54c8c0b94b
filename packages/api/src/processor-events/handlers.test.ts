import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HANDLERS } from './handlers.ts';

const GUIDE = join(import.meta.dirname, '../../../../docs/operations.md');

test('whoever sets up the endpoint by the guide is told of everything that matters', () => {
  const rows = readFileSync(GUIDE, 'utf8').match(/^\|( `[a-z_.]+`)+ +\|/gm) ?? [];
  const named = rows.join().match(/(?<=`)[a-z_]+\.[a-z_.]+(?=`)/g) ?? [];
  assert.deepEqual(named.toSorted(), [...HANDLERS.keys()].sort());
});
