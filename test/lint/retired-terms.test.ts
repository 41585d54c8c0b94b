import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retiredNamesIn } from './retired-terms.ts';

test('a retired term is found in file names and identifiers, not in strings and comments', () => {
  const source = "const healGift = askForRefund('heal'); // heal\n`patience`; const sewing = 1;";
  assert.deepEqual(retiredNamesIn('packages/api/src/donor-words/a.ts', source), [
    'packages/api/src/donor-words/a.ts: donor-words; use i18n',
    'packages/api/src/donor-words/a.ts: healGift; use repair',
    'packages/api/src/donor-words/a.ts: askForRefund; use saveRefundRequest',
  ]);
});
