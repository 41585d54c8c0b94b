import { expect } from '@open-wc/testing';
import { findIntendedAddress } from './mistyped-domain.ts';

describe('the domain that was probably meant', () => {
  for (const [typed, intended] of [
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['Gamil.Com', 'gmail.com'],
    ['gnail.cmo', 'gmail.com'],
    ['gmail', 'gmail.com'],
    ['hotmal.com', 'hotmail.com'],
    ['hotnial.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['yaho.com', 'yahoo.com'],
    ['icould.com', 'icloud.com'],
    ['comcast.ent', 'comcast.net'],
  ] as const) {
    it(`is ${intended} for ${typed}`, () => {
      expect(findIntendedAddress(`Ada.L@${typed}`)).to.equal(`Ada.L@${intended}`);
    });
  }

  for (const domain of [
    ...['gmail.com', 'mail.com', 'ymail.com', 'email.com', 'email.cz', 'mail.ru', 'gmx.com'],
    ...['yahoo.ca', 'yahoo.co.uk', 'yahoo.com.ar', 'hotmail.fr', 'hotmail.cl', 'outlook.de'],
    ...['me.com', 'mac.com', 'aim.com', 'aol.com', 'live.com', 'fastmail.com', 'example.org', ''],
  ]) {
    it(`is no other than ${domain || 'an empty one'}`, () => {
      expect(findIntendedAddress(`ada@${domain}`)).to.equal(undefined);
    });
  }

  it('is unknown without the part before @', () => {
    expect(findIntendedAddress('@gmial.com')).to.equal(undefined);
    expect(findIntendedAddress('gmial.com')).to.equal(undefined);
  });
});
