import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { initialsOf } from './initials.ts';

describe('initials', () => {
  for (const [name, initials] of [
    ['Ada Lovelace', 'A. L.'],
    ['ada king lovelace', 'A. L.'],
    ['Émile', 'É.'],
    ['Łukasz  Żal', 'Ł. Ż.'],
    ['O’Brien-Smith, Ann', 'O. A.'],
    ['"The" Smith Foundation', 'T. F.'],
    ['ليلى حداد', 'ل. ح.'],
    // A word of one letter would be revealed completely.
    ['J Doe', 'D.'],
    ['X', null],
    // In these scripts one character may be a whole name.
    ['王', null],
    ['王芳', null],
    ['김 민준', null],
    ['12345', null],
    ['', null],
    [null, null],
  ] as const) {
    test(`of ${name} are ${initials}`, () => assert.equal(initialsOf(name), initials));
  }
});
