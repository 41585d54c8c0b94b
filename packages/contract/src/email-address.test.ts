import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EMAIL_ADDRESS, findInvalidCharacter, normalizeEmail } from './email-address.ts';

describe('an email address', () => {
  for (const [typed, address] of [
    ['name＠example．org', 'name@example.org'],
    ['ｎａｍｅ@example。org', 'name@example.org'],
    [' name@example.org\u200b\n', 'name@example.org'],
    ['\u202aname@example.org\u202c', 'name@example.org'],
    ["o'neil+give&co/1=a@mail.example.xn--p1ai", "o'neil+give&co/1=a@mail.example.xn--p1ai"],
  ] as const) {
    test(`is read from ${JSON.stringify(typed)}`, () => {
      assert.equal(normalizeEmail(typed), address);
      assert.match(address, EMAIL_ADDRESS);
      assert.equal(findInvalidCharacter(address), undefined);
    });
  }

  for (const [typed, character] of [
    ['ö@example.org', 'ö'],
    ['na me@example.org', ' '],
    ['name@example,org', ','],
    ['😀@example.org', '😀'],
  ] as const) {
    test(`is refused with the character of ${typed}`, () => {
      assert.doesNotMatch(normalizeEmail(typed), EMAIL_ADDRESS);
      assert.equal(findInvalidCharacter(typed), character);
    });
  }

  test('has one @, a domain with a dot, and no empty part', () => {
    for (const text of [
      '',
      'ana',
      'ana@',
      '@a.org',
      'ana@org',
      'a@b@c.org',
      'a..b@c.org',
      'a@c..org',
      'a@-c.org',
    ])
      assert.doesNotMatch(text, EMAIL_ADDRESS, text);
  });
});
