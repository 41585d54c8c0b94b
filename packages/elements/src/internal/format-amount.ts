import { decimalText, formatMoney } from '@connect-embed/contract/format-money';

/** The language and currency of most forms. */
export const isUsEnglish = (language: string, currency: string) =>
  currency === 'usd' && /^en(-US)?$/.test(language);

/** An amount as a language writes it, without decimals that say nothing: `$50`, `12,50 €`. */
export const formatAmount = (cents: number, currency: string, language: string): string =>
  isUsEnglish(language, currency)
    ? formatDollars(cents)
    : formatMoney(cents, currency, language, { trim: true });

/**
 * Dollars as English writes them, as `formatMoney` would: `$50`, `$1,234.50`.
 *
 * The first `Intl.NumberFormat` of a page makes a browser look through all its languages, which
 * takes longer than all the rest of drawing a form, and no script can part it:
 * docs/decisions/0068-long-tasks.md
 */
export const formatDollars = (cents: number): string =>
  `$${decimalText(cents, 2)}`.replace(/\.00$/, '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
