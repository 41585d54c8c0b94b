import { expect } from '@open-wc/testing';
import { formatMoney } from '@connect-embed/contract/format-money';
import { isUsEnglish, formatDollars } from './format-amount.ts';

describe('formatDollars', () => {
  it('formats dollars in English like formatMoney', () => {
    for (const cents of [
      0, 1, 50, 99, 100, 2500, 99_999, 100_000, 123_450, 1_000_000, 99_999_999,
    ]) {
      for (const language of ['en', 'en-US']) {
        expect(formatDollars(cents)).to.equal(formatMoney(cents, 'usd', language, { trim: true }));
      }
    }
  });

  it('is not used for another language or currency', () => {
    for (const language of ['en-AU', 'en-CA', 'es-US', 'de', '']) {
      expect(isUsEnglish(language, 'usd'), language).to.equal(false);
    }
    expect(isUsEnglish('en', 'eur')).to.equal(false);
  });
});
