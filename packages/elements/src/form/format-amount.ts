import { decimalText, formatMoney } from '@connect-embed/contract/format-money';

/** True for US English and dollars, the most frequent combination. */
export const isUsEnglish = (language: string, currency: string) =>
  currency === 'usd' && /^en(-US)?$/.test(language);

/** Formats an amount in a language, without `.00`: `$50`, `12,50 €`. */
export const formatAmount = (cents: number, currency: string, language: string): string =>
  isUsEnglish(language, currency)
    ? formatDollars(cents)
    : formatMoney(cents, currency, language, { trim: true });

/**
 * Formats dollars in US English without `Intl`, with the same result as `formatMoney`: `$50`,
 * `$1,234.50`.
 *
 * The first `Intl.NumberFormat` on a page loads locale data, which takes longer than drawing the
 * form and cannot be split into smaller tasks: docs/decisions/0067-layout-shift-and-long-tasks.md
 */
export const formatDollars = (cents: number): string =>
  `$${decimalText(cents, 2)}`.replace(/\.00$/, '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
