import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvFileName, csvLine } from './csv.ts';

describe('a CSV line', () => {
  test('quotes separators, quotes and line breaks', () => {
    assert.equal(
      csvLine(['a,b', 'say "hi"', 'two\nlines', null]),
      '"a,b","say ""hi""","two\nlines",\r\n',
    );
  });

  test('turns formulas into text, so that a spreadsheet does not run them', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\u200b=1', '＝1', '|calc', '%0']) {
      assert.equal(csvLine([text]), `'${text}\r\n`);
    }
    assert.equal(csvLine(['\t=1']), `'\t=1\r\n`);
    assert.equal(csvLine(['=A1,B1']), `"'=A1,B1"\r\n`);
  });

  test('keeps numbers as numbers, also negative ones', () => {
    assert.equal(csvLine([{ number: '-12.50' }, { number: '3' }]), '-12.50,3\r\n');
  });
});

test('a CSV file name has letters, digits and hyphens', () => {
  assert.equal(
    csvFileName('donations', 'Élan / "Ünder" <b>', '2026-03-01 to 2026-03-31'),
    'donations-elan-under-b-2026-03-01-to-2026-03-31.csv',
  );
  assert.equal(csvFileName('donations', '../..', ''), 'donations.csv');
});
