import type { DonationSeries, DonationSums, SeriesInterval } from '@connect-embed/contract';
import { currencyDecimals } from '@connect-embed/contract/currency';
import { formatMoney } from '@connect-embed/contract/format-money';
import { formatCount } from './format-count.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

/** What one currency's gifts came to in each step, as a person reads it. */
export interface ChartSeries {
  currency: string;
  bars: Bar[];
  /** All steps together. */
  total: DonationSums;
}

export interface Bar extends DonationSums {
  /** `November 2026` */
  name: string;
  /** As it stands below a bar, where room is small. */
  shortName: string;
}

/** A bar chart for each currency that was given in; the one of most gifts first, as the totals have it. */
export function toChartSeries({ interval, data }: DonationSeries, language: string): ChartSeries[] {
  const currencies = new Set(data.flatMap(({ sums }) => sums.map(({ currency }) => currency)));
  const periodNames = new PeriodNames(interval, language);
  const charts = [...currencies].sort().map((currency) => {
    const bars = data.map(({ starts_on, sums }) => ({
      ...(sums.find((sum) => sum.currency === currency) ?? emptySums(currency)),
      name: periodNames.name(starts_on),
      shortName: periodNames.short(starts_on),
    }));
    return { currency, bars, total: bars.reduce(addSums, emptySums(currency)) };
  });
  return charts.sort((one, other) => other.total.count - one.total.count);
}

const emptySums = (currency: string): DonationSums => ({
  currency,
  count: 0,
  gross_cents: 0,
  net_cents: 0,
  refunded_cents: 0,
});

/** A net that is unknown in one step is unknown in all. */
const addSums = (one: DonationSums, other: DonationSums): DonationSums => ({
  currency: one.currency,
  count: one.count + other.count,
  gross_cents: one.gross_cents + other.gross_cents,
  net_cents:
    one.net_cents === null || other.net_cents === null ? null : one.net_cents + other.net_cents,
  refunded_cents: one.refunded_cents + other.refunded_cents,
});

/** `12 donations`, `Gross $480.00`, `Net $460.00`, and what was refunded where something was. */
export function describeSums(sums: DonationSums, language: string): string[] {
  const money = (cents: number) => formatMoney(cents, sums.currency, language);
  return [
    texts.totals(formatCount(sums.count, language)),
    `${texts.gross} ${money(sums.gross_cents)}`,
    ...(sums.net_cents === null ? [] : [`${texts.net} ${money(sums.net_cents)}`]),
    ...(sums.refunded_cents ? [`${texts.refunded} ${money(sums.refunded_cents)}`] : []),
  ];
}

/** `$1.5K`: as short as a line's end has room for. */
export function formatCompactMoney(cents: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(cents / 10 ** currencyDecimals(currency));
}

const LONG_FORMATS: Readonly<Record<SeriesInterval, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: 'medium' },
  week: { dateStyle: 'medium' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
};

const SHORT_FORMATS: Readonly<Record<SeriesInterval, Intl.DateTimeFormatOptions>> = {
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
};

/** Steps by their first days, which are days of a calendar and the same in every zone. */
class PeriodNames {
  readonly #interval: SeriesInterval;
  readonly #long: Intl.DateTimeFormat;
  readonly #short: Intl.DateTimeFormat;

  constructor(interval: SeriesInterval, language: string) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    this.#interval = interval;
    this.#long = format(LONG_FORMATS[interval]);
    this.#short = format(SHORT_FORMATS[interval]);
  }

  name(day: string): string {
    const name = this.#long.format(Date.parse(day));
    return this.#interval === 'week' ? texts.weekOf(name) : name;
  }

  short(day: string): string {
    return this.#short.format(Date.parse(day));
  }
}
