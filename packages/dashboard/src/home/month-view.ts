import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { figures, table, type Column } from '../pages/table.ts';
import { dayChart } from './day-chart.ts';
import { fileFormName } from '../pages/lists/file-forms.ts';
import type { CurrencyTotals, Comparison, Totals } from './month-totals.ts';
import type { MonthPeriods } from './month-periods.ts';

/**
 * Describes the change from last month's value, for example `Up 12% from $1,200.00`.
 *
 * @param period the compared part of last month, from `periodText`
 * @param format formats a value of the figure
 */
export function changeText(
  now: number,
  before: number,
  period: string,
  format: (value: number) => string,
): string {
  if (before === 0) return `Nothing ${period}`;
  if (now === before) return 'No change';
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent === 0) return `About the same as ${format(before)}`;
  return `${now > before ? 'Up' : 'Down'} ${percent.toLocaleString(LOCALE)}% from ${format(before)}`;
}

const dayText = (date: MonthPeriods['previous']['last']) =>
  date.toLocaleString(LOCALE, { month: 'long', day: 'numeric' });

/** Names the compared part of last month, for example `by October 24`, or `in February`. */
const periodText = ({ previous: { last }, isWholeMonth }: MonthPeriods): string =>
  isWholeMonth ? `in ${last.toLocaleString(LOCALE, { month: 'long' })}` : `by ${dayText(last)}`;

const count = (value: number) => value.toLocaleString(LOCALE);
const percent = (value: number) => `${Math.round(value)}%`;

const averageOf = ({ raised_cents, donations }: Totals) =>
  donations === 0 ? 0 : Math.round(raised_cents / donations);

const recurringShareOf = ({ raised_cents, recurring_cents }: Totals) =>
  raised_cents === 0 ? 0 : (recurring_cents / raised_cents) * 100;

/**
 * Renders this month against the same part of last month: key figures and a chart by day.
 *
 * @param note below them
 */
export const monthView = (
  totals: readonly CurrencyTotals[],
  periods: MonthPeriods,
  note: Html | '',
): Html => {
  // The organization's own currency is shown without donations, too, if there are none in another.
  const shown = totals.filter(
    ({ current, previous }) => totals.length === 1 || current.donations + previous.donations > 0,
  );
  return html`<section aria-labelledby="month" class="month">
    <div class="head">
      <h2 id="month">
        ${periods.current.last.toLocaleString(LOCALE, { month: 'long', year: 'numeric' })}
      </h2>
      <p class="small muted">
        By the day the money arrived, after refunds and disputes. Compared with
        ${rangeText(periods)}.
      </p>
    </div>
    ${shown.map((row) => html`${currencyFigures(row, periods)} ${dayChart(row, periods)}`)} ${note}
  </section>`;
};

/** Names the compared days of last month, for example `October 1–24 up to this time of day`. */
function rangeText({ previous: { first, last }, isWholeMonth }: MonthPeriods): string {
  const days = last.day === 1 ? dayText(first) : `${dayText(first)}–${last.day}`;
  return isWholeMonth ? days : `${days} up to this time of day`;
}

const currencyFigures = (
  { currency, current, previous }: CurrencyTotals,
  periods: MonthPeriods,
): Html => {
  const period = periodText(periods);
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  const compared = (now: number, before: number, format: (value: number) => string) =>
    [format(now), changeText(now, before, period, format)] as const;
  return figures(
    [
      ['Raised', ...compared(current.raised_cents, previous.raised_cents, money)],
      ['Donations', ...compared(current.donations, previous.donations, count)],
      ['Donors', ...compared(current.donors, previous.donors, count)],
      ['Average', ...compared(averageOf(current), averageOf(previous), money)],
      [
        'Recurring',
        percent(recurringShareOf(current)),
        `${percent(recurringShareOf(previous))} ${period}`,
      ],
    ],
    'compared',
  );
};

/**
 * Returns the path of a form or fund. A form of the configuration file has no page, so its donations of this month are
 * listed.
 */
const pageOf = (kind: 'form' | 'fund', id: string) =>
  fileFormName(id) === undefined
    ? `${kind}s/${id}`
    : `donations?${new URLSearchParams({ form: id, period: 'this_month' })}`;

/** Renders what each form or fund has raised this month, in the organization's currency; empty without donations. */
export function comparisonView(
  kind: 'form' | 'fund',
  rows: readonly Comparison[],
  periods: MonthPeriods,
  { path, currency }: { path: string; currency: string },
): Html | '' {
  if (rows.length === 0) return '';
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  const period = periodText(periods);
  const columns: Column<Comparison>[] = [
    {
      head: kind === 'form' ? 'Form' : 'Fund',
      as: 'rowHeader',
      cell: ({ id, name }) => (id ? html`<a href="${path}/${pageOf(kind, id)}">${name}</a>` : name),
    },
    { head: 'Donations', as: 'number', cell: ({ donations }) => count(donations) },
    { head: 'Raised', as: 'number', cell: ({ raised_cents }) => money(raised_cents) },
    {
      head: 'Change',
      as: 'number',
      cell: ({ raised_cents, previous_cents }) =>
        changeText(raised_cents, previous_cents, period, money),
    },
  ];
  return html`<div class="head">
      <h2>By ${kind}</h2>
      <p class="small muted">Donations in ${currency.toUpperCase()}</p>
    </div>
    ${table(`This month by ${kind}`, columns, rows)}`;
}
