import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { currencyDecimals, currencyStep, currencySymbol } from './currency.ts';
import { ConnectError } from './error.ts';
import {
  AmbiguousAmountError,
  decimalText,
  describeReadings,
  formatMoney,
  parseDecimalText,
  parseMoney,
} from './money.ts';

const LOCALES =
  'en de es fr it pt nl ar ar-EG he hi hi-u-nu-deva ja zh de-CH fr-CH de-AT en-IN es-MX pt-PT sv fa pl'.split(
    ' ',
  );
const AMOUNTS = [50, 120, 5000, 100_000, 123_450, 123_456_780];

/** Normalizes spaces and apostrophes, which differ between releases of ICU. */
const plain = (text: string) => text.replace(/\s/g, ' ').replace(/’/g, "'");

describe('formatMoney uses the notation of the language', () => {
  for (const [cents, currency, locale, text] of [
    [125_000, 'usd', 'en', '$1,250.00'],
    [125_005, 'EUR', 'de', '1.250,05 €'],
    [125_005, 'eur', 'fr', '1 250,05 €'],
    [12_345_650, 'inr', 'en-IN', '₹1,23,456.50'],
    [12_345_650, 'inr', 'hi', '₹1,23,456.50'],
    [500, 'jpy', 'ja', '￥500'],
    [125_050, 'chf', 'de-CH', "CHF 1'250.50"],
    [1230, 'kwd', 'en', 'KWD 1.230'],
    [-505, 'usd', 'en', '-$5.05'],
    [9_007_199_254_740_991, 'usd', 'en', '$90,071,992,547,409.91'],
  ] as const) {
    test(`${cents} ${currency} in ${locale}: ${text}`, () => {
      assert.equal(plain(formatMoney(cents, currency, locale)), text);
    });
  }

  for (const [currency, locale, text] of [
    ['usd', 'ar', '\u200f50\u00a0US$\u200e'],
    ['cad', 'he', '\u200f50\u00a0\u200fCA$\u200e'],
    ['ils', 'he', '\u200f50\u00a0\u200f₪'],
    ['usd', 'en-CA', 'US$50'],
  ] as const) {
    test(`keeps the sign of ${currency} with its letters in ${locale}`, () => {
      assert.equal(formatMoney(5000, currency, locale, { trim: true }), text);
    });
  }

  test('keeps the currency of a negative amount on the side of that of a positive one in ar', () => {
    assert.equal(formatMoney(-5000, 'usd', 'ar'), '\u200f\u200e-50.00\u200f\u00a0US$\u200e');
  });

  test('trim omits decimals only if they are all zero', () => {
    assert.equal(formatMoney(5000, 'usd', 'en', { trim: true }), '$50');
    assert.equal(formatMoney(5050, 'usd', 'en', { trim: true }), '$50.50');
  });

  test('decimalText shifts digits instead of dividing', () => {
    assert.equal(decimalText(1_999, 2), '19.99');
    assert.equal(decimalText(-5, 2), '-0.05');
    assert.equal(decimalText(500, 0), '500');
    assert.equal(decimalText(0, 3), '0.000');
  });
});

describe('parseMoney parses what donors type', () => {
  for (const [text, currency, locale, cents] of [
    ['25', 'usd', 'en', 2500],
    ['25.5', 'usd', 'en', 2550],
    ['19.99', 'usd', 'en', 1999],
    ['0.29', 'usd', 'en', 29],
    ['.50', 'usd', 'en', 50],
    ['5.', 'usd', 'en', 500],
    ['$1,250.00', 'usd', 'en', 125_000],
    ['  $ 5 ', 'usd', 'en', 500],
    ['US$ 5', 'usd', 'en', 500],
    ['US$5', 'usd', 'de', 500],
    ['5 USD', 'usd', 'en', 500],
    ['usd 5', 'usd', 'en', 500],
    ['$5 USD', 'usd', 'en', 500],
    ['5 $', 'usd', 'fr', 500],
    ['C$5', 'cad', 'en', 500],
    ['A$ 5', 'aud', 'en', 500],
    ['NZ$5', 'nzd', 'en', 500],
    ['R$ 5', 'brl', 'en', 500],
    ['£5', 'gbp', 'de', 500],
    ['€5', 'eur', 'en', 500],
    ['5€', 'eur', 'de', 500],
    ['5 kr', 'sek', 'sv', 500],
    ['Rs. 500', 'inr', 'en-IN', 50_000],
    ['₹1,23,456.50', 'inr', 'hi', 12_345_650],
    ['१२३.५०', 'inr', 'hi', 12_350],
    ['1.234,50 €', 'eur', 'de', 123_450],
    ['1.234.567,89', 'eur', 'de', 123_456_789],
    ['1 234,50', 'eur', 'fr', 123_450],
    ['1\u202f234,50\u00a0€', 'eur', 'fr', 123_450],
    ["1'250.50", 'chf', 'de-CH', 125_050],
    ['1’250.50', 'chf', 'de-CH', 125_050],
    ['5.–', 'chf', 'de-CH', 500],
    ['5,-', 'eur', 'de', 500],
    ['١٢٫٥٠', 'usd', 'ar', 1250],
    ['١٬٢٣٤٫٥٠', 'usd', 'ar-EG', 123_450],
    ['١٢،٥٠', 'usd', 'ar', 1250],
    ['١،٢٣٤', 'usd', 'ar', 123_400],
    ['￥500', 'jpy', 'ja', 500],
    ['500円', 'jpy', 'ja', 500],
    ['２５．５０', 'usd', 'ja', 2550],
    ['500.00', 'jpy', 'en', 500],
    ['0.550', 'kwd', 'en', 550],
    ['12.50', 'kwd', 'en', 12_500],
    ['1,250.500', 'kwd', 'en', 1_250_500],
    ['١٫٢٥٠', 'kwd', 'ar', 1250],
    ['1٬250', 'kwd', 'ar', 1_250_000],
    ['1‘000', 'chf', 'de-CH', 100_000],
    ['1ʼ000', 'chf', 'de-CH', 100_000],
    ['1、000', 'usd', 'ja', 100_000],
    ['1\t000', 'usd', 'en', 100_000],
    ['\u200b25\u202c', 'usd', 'en', 2500],
  ] as const) {
    test(`"${text}" of ${currency} in ${locale} is ${cents}`, () => {
      assert.equal(parseMoney(text, currency, locale), cents);
    });
  }

  for (const [text, currency, locale] of [
    ['1,000', 'usd', 'es'],
    ['1.000', 'usd', 'en'],
    ['1.000', 'usd', 'de'],
    ['1 000', 'usd', 'en'],
    ["1'000", 'usd', 'en'],
    ['１，０００', 'usd', 'ja'],
    ['\u200e1,000\u200f', 'usd', 'he'],
  ] as const) {
    test(`one mark before three digits separates thousands: "${text}" in ${locale}`, () => {
      assert.equal(parseMoney(text, currency, locale), 100_000);
    });
  }

  test('asks which reading is meant in a currency with three decimals', () => {
    for (const locale of LOCALES) {
      for (const text of ['1.250', '1,250', 'KWD 1.250', '1,250 kwd']) {
        assert.throws(
          () => parseMoney(text, 'kwd', locale),
          (error) => {
            assert.ok(error instanceof AmbiguousAmountError && error.param === 'amount_cents');
            assert.deepEqual(error.readings, [1250, 1_250_000]);
            const { smallText, largeText } = describeReadings(error, 'kwd', locale);
            assert.equal(parseMoney(smallText, 'kwd', locale), 1250, smallText);
            assert.equal(parseMoney(largeText, 'kwd', locale), 1_250_000, largeText);
            return true;
          },
        );
      }
    }
  });

  test('describes both readings', () => {
    const readings = describeReadings(new AmbiguousAmountError([1250, 1_250_000]), 'kwd', 'en');
    assert.deepEqual(
      { ...readings, small: plain(readings.small), large: plain(readings.large) },
      { small: 'KWD 1.250', large: 'KWD 1,250', smallText: '1.25', largeText: '1250' },
    );
  });
});

describe('parseMoney rejects text that is not an amount', () => {
  for (const [text, currency] of [
    ['', 'usd'],
    ['   ', 'usd'],
    ['$', 'usd'],
    ['.', 'usd'],
    ['abc', 'usd'],
    ['-5', 'usd'],
    ['$-5', 'usd'],
    ['1e5', 'usd'],
    ['0x10', 'usd'],
    ['Infinity', 'usd'],
    ['5 5', 'usd'],
    ['1 2', 'usd'],
    ['1,2,3', 'usd'],
    ['1.2.3', 'usd'],
    ['1,234.567,8', 'usd'],
    ['5.0055', 'usd'],
    ['0.125', 'usd'],
    ['0,500', 'usd'],
    ['.500', 'usd'],
    ['1234,500', 'usd'],
    ['1,234.500', 'usd'],
    ['1٫250', 'usd'],
    ['0,125,000', 'usd'],
    ['1234,567', 'usd'],
    ['12.345', 'kwd'],
    ['1,0000', 'usd'],
    ['1.0000', 'usd'],
    ['10.000000', 'usd'],
    ['1.000,0000', 'usd'],
    ['١٫٠٠٠٠', 'usd'],
    ['1,0000', 'jpy'],
    ['500.000000', 'jpy'],
    ['1,0000', 'kwd'],
    ['1.2500', 'kwd'],
    ['$$5', 'usd'],
    ['€5', 'usd'],
    ['5 EUR', 'usd'],
    ['C$5', 'usd'],
    ['5.5', 'jpy'],
    ['0.555', 'kwd'],
    ['99999999999999999', 'usd'],
    ['<b>5</b>', 'usd'],
  ] as const) {
    test(`"${text}" of ${currency}`, () => {
      assert.throws(
        () => parseMoney(text, currency, 'en'),
        (error) =>
          error instanceof ConnectError &&
          error.type === 'invalid_request' &&
          error.param === 'amount_cents',
      );
    });
  }

  test('the error for too many decimals says how many are allowed', () => {
    assert.throws(() => parseMoney('5.0055', 'usd'), /at most 2 decimals in USD/);
    assert.throws(() => parseMoney('5.5', 'jpy'), /at most 0 decimals in JPY/);
  });
});

describe('parseMoney parses what formatMoney formats', () => {
  for (const locale of LOCALES) {
    test(`for every currency, in ${locale}`, () => {
      for (const currency of Intl.supportedValuesOf('currency')) {
        for (const { cents, money } of amountsIn(currency, locale)) {
          assert.equal(readOrAsk(money, currency, locale, cents), cents, money);
        }
      }
    });

    test(`numbers as ${locale} writes them, in every other language`, () => {
      for (const currency of ['jpy', 'usd', 'isk', 'kwd']) {
        for (const { cents, money } of amountsIn(currency, locale)) {
          const [number = ''] = /\p{Nd}(.*\p{Nd})?/u.exec(money) ?? [];
          for (const other of LOCALES) {
            assert.equal(readOrAsk(number, currency, other, cents), cents, `${number} in ${other}`);
          }
        }
      }
    });
  }

  const amountsIn = (currency: string, locale: string) =>
    AMOUNTS.map((amount) => amount * (currencyStep(currency) === 100 ? 100 : 1)).flatMap((cents) =>
      [false, true].map((trim) => ({
        cents,
        money: formatMoney(cents, currency, locale, { trim }),
      })),
    );

  /** The amount that is read, or the one that the donor can choose when asked for the meaning. */
  function readOrAsk(text: string, currency: string, locale: string, meant: number) {
    try {
      return parseMoney(text, currency, locale);
    } catch (error) {
      if (!(error instanceof AmbiguousAmountError)) throw error;
      return error.readings.find((cents) => cents === meant);
    }
  }
});

test('parseDecimalText reads what decimalText writes', () => {
  for (const [currency, decimals] of [
    ['jpy', 0],
    ['usd', 2],
    ['kwd', 3],
  ] as const) {
    for (const cents of AMOUNTS) {
      assert.equal(parseDecimalText(decimalText(cents, decimals), currency), cents);
    }
  }
  for (const text of ['', '1.250', '1,250', '-5', '1e5', '$5', '.5']) {
    assert.equal(parseDecimalText(text, 'usd'), undefined, text);
  }
});

describe('decimals are Stripe’s, not ICU’s', () => {
  const differing =
    'AFN ALL COP HUF IDR IQD IRR ISK KPW LAK LBP LYD MMK PKR SLL SOS SYP UGX YER'.split(' ');
  const icu = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits;

  for (const currency of differing) {
    test(`${currency} has two, where ICU says ${icu(currency)}`, () => {
      assert.equal(currencyDecimals(currency), 2);
      const text = formatMoney(123_456, currency, 'en');
      assert.match(text, /1,234\.56/);
      if (currencyStep(currency) === 1) assert.equal(parseMoney(text, currency, 'en'), 123_456);
    });
  }

  test('ISK has no fractions, although it is counted in hundredths', () => {
    assert.equal(parseMoney('1,234', 'isk', 'en'), 123_400);
    assert.throws(() => parseMoney('1,234.50', 'isk', 'en'), /multiple of 100/);
  });

  test('UGX has no fractions: 5 UGX are 500', () => {
    assert.equal(parseMoney('5', 'ugx', 'en'), 500);
    assert.throws(() => parseMoney('5.50', 'UGX', 'en'), /multiple of 100/);
  });

  test('the smallest step of three decimals is ten', () => {
    for (const currency of ['bhd', 'JOD', 'kwd', 'omr', 'tnd']) {
      assert.deepEqual([currencyDecimals(currency), currencyStep(currency)], [3, 10]);
    }
    assert.deepEqual([currencyDecimals('isk'), currencyStep('isk')], [2, 100]);
    assert.deepEqual([currencyDecimals('jpy'), currencyStep('jpy')], [0, 1]);
    assert.deepEqual([currencyDecimals('usd'), currencyStep('usd')], [2, 1]);
  });
});

describe('currencySymbol', () => {
  for (const [currency, language, symbol, isSuffix] of [
    ['usd', 'en', '$', false],
    ['usd', 'en-CA', 'US$', false],
    ['eur', 'de', '€', true],
    ['dkk', 'da', 'kr.', true],
    ['xof', 'fr', 'F CFA', true],
    ['chf', 'de-CH', 'CHF', false],
    ['jpy', 'ja', '￥', false],
    ['inr', 'hi', '₹', false],
    ['aed', 'ar', 'د.إ.', true],
    ['usd', 'ar-EG', 'US$', true],
    ['ils', 'he', '₪', true],
  ] as const) {
    test(`${symbol} is ${isSuffix ? 'after' : 'before'} the number in ${language}`, () => {
      const zero = formatMoney(0, currency, language, { trim: true });
      const shown = currencySymbol(zero);
      assert.deepEqual({ ...shown, symbol: plain(shown.symbol) }, { symbol, isSuffix });
    });
  }
});
