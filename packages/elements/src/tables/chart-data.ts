import type { DonationSeries, DonationSums, SeriesInterval } from '@connect-embed/contract';
import { currencyDecimals } from '@connect-embed/contract/currency';
import { addDirectionMarks, formatMoney } from '@connect-embed/contract/format-money';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { DisplayOptions } from './column.ts';
import { pluralMessage } from './format.ts';

/** The donations of one currency per period, ready for display. */
export interface ChartSeries {
  currency: string;
  bars: Bar[];
  /** The sum over all periods. */
  total: DonationSums;
}

export interface Bar extends DonationSums {
  /** `November 2026` */
  name: string;
  /** The label below the bar, where space is limited, for example `Nov 2026`. */
  shortName: string;
}

/** Returns one bar chart per currency, most donations first, in the same order as the totals. */
export function toChartSeries(
  { interval, data }: DonationSeries,
  display: DisplayOptions,
): ChartSeries[] {
  const currencies = new Set(data.flatMap(({ sums }) => sums.map(({ currency }) => currency)));
  const periodNames = new PeriodNames(interval, display);
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
  disputed_cents: 0,
  fee_cents: 0,
  dispute_fee_cents: 0,
});

const addKnown = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other;

/** The total fee and net amount are unknown (null) if those of any period are unknown. */
const addSums = (one: DonationSums, other: DonationSums): DonationSums => ({
  currency: one.currency,
  count: one.count + other.count,
  gross_cents: one.gross_cents + other.gross_cents,
  net_cents: addKnown(one.net_cents, other.net_cents),
  refunded_cents: one.refunded_cents + other.refunded_cents,
  disputed_cents: one.disputed_cents + other.disputed_cents,
  fee_cents: addKnown(one.fee_cents, other.fee_cents),
  dispute_fee_cents: one.dispute_fee_cents + other.dispute_fee_cents,
});

/**
 * Formats sums as `12 donations`, `Gross $480.00`, `Net $460.00`, and a refunded and a disputed amount if
 * there are any. Omits an unknown net.
 */
export function describeSums(sums: DonationSums, display: DisplayOptions): string[] {
  const { language, messages } = display;
  const money = (cents: number) => formatMoney(cents, sums.currency, language);
  return [
    pluralMessage('totals', sums.count, display),
    `${messages.gross} ${money(sums.gross_cents)}`,
    ...(sums.net_cents === null ? [] : [`${messages.net} ${money(sums.net_cents)}`]),
    ...(sums.refunded_cents ? [`${messages.refunded} ${money(sums.refunded_cents)}`] : []),
    ...(sums.disputed_cents ? [`${messages.disputed} ${money(sums.disputed_cents)}`] : []),
  ];
}

/** Formats an axis label in compact notation, for example `$1.5K`. */
export function formatCompactMoney(cents: number, currency: string, language: string): string {
  const formatter = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  });
  return addDirectionMarks(formatter.format(cents / 10 ** currencyDecimals(currency)));
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

/**
 * Formats periods by their first day. These are calendar days, which are the same in every time zone,
 * so they are formatted in UTC.
 */
class PeriodNames {
  readonly #interval: SeriesInterval;
  readonly #weekOf: string;
  readonly #long: Intl.DateTimeFormat;
  readonly #short: Intl.DateTimeFormat;

  constructor(interval: SeriesInterval, { language, messages }: DisplayOptions) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    this.#interval = interval;
    this.#weekOf = messages.weekOf;
    this.#long = format(LONG_FORMATS[interval]);
    this.#short = format(SHORT_FORMATS[interval]);
  }

  name(day: string): string {
    const name = this.#long.format(Date.parse(day));
    return this.#interval === 'week' ? interpolate(this.#weekOf, { day: name }) : name;
  }

  short(day: string): string {
    return this.#short.format(Date.parse(day));
  }
}
