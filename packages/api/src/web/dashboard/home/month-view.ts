import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '../../../lib/html.ts';
import { LOCALE } from '../../layout.ts';
import { figures, table, type Column } from '../table.ts';
import { dayChart } from './day-chart.ts';
import type { CurrencyTotals, FormComparison, Totals } from './month-totals.ts';
import type { MonthPeriods } from './month-periods.ts';

/**
 * Describes the change from last month's value, for example `Up 12% from $1,200.00`.
 *
 * @param format formats a value of the figure
 */
export function changeText(now: number, before: number, format: (value: number) => string): string {
  if (before === 0) return now === 0 ? 'None last month' : 'Nothing last month';
  if (now === before) return `Same as last month`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return `${now > before ? 'Up' : 'Down'} ${percent.toLocaleString(LOCALE)}% from ${format(before)}`;
}

const count = (value: number) => value.toLocaleString(LOCALE);
const percent = (value: number) => `${Math.round(value)}%`;

const averageOf = ({ raised_cents, donations }: Totals) =>
  donations === 0 ? 0 : Math.round(raised_cents / donations);

const recurringShareOf = ({ raised_cents, recurring_cents }: Totals) =>
  raised_cents === 0 ? 0 : (recurring_cents / raised_cents) * 100;

/** Renders this month against the same days of last month: key figures and a chart by day. */
export const monthView = (totals: readonly CurrencyTotals[], periods: MonthPeriods): Html => {
  const shown = totals.filter(({ current, previous }, index) =>
    // The organization's own currency is first, and shown without donations too.
    index === 0 && totals.length === 1 ? true : current.donations + previous.donations > 0,
  );
  return html`<section aria-labelledby="month" class="month">
    <div class="head">
      <h2 id="month">
        ${periods.current.last.toLocaleString(LOCALE, { month: 'long', year: 'numeric' })}
      </h2>
      <p class="small muted">Compared with ${rangeText(periods)}</p>
    </div>
    ${shown.map((row) => html`${currencyFigures(row)} ${dayChart(row, periods)}`)}
  </section>`;
};

/** Formats the days of last month, for example `October 1–24`. */
function rangeText({ previous: { first, last } }: MonthPeriods): string {
  const month = first.toLocaleString(LOCALE, { month: 'long' });
  return last.day === 1 ? `${month} 1` : `${month} 1–${last.day}`;
}

const currencyFigures = ({ currency, current, previous }: CurrencyTotals): Html => {
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  const compared = (now: number, before: number, format: (value: number) => string) =>
    [format(now), changeText(now, before, format)] as const;
  return figures(
    [
      ['Raised', ...compared(current.raised_cents, previous.raised_cents, money)],
      ['Donations', ...compared(current.donations, previous.donations, count)],
      ['Donors', ...compared(current.donors, previous.donors, count)],
      ['Average', ...compared(averageOf(current), averageOf(previous), money)],
      [
        'Recurring',
        percent(recurringShareOf(current)),
        `${percent(recurringShareOf(previous))} last month`,
      ],
    ],
    'compared',
  );
};

/** Renders what each form has raised this month. */
export function formsView(
  forms: readonly FormComparison[],
  { path, currency }: { path: string; currency: string },
): Html | '' {
  if (forms.length === 0) return '';
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  const columns: Column<FormComparison>[] = [
    {
      head: 'Form',
      as: 'rowHeader',
      cell: ({ id, name }) =>
        id && name ? html`<a href="${path}/forms/${id}">${name}</a>` : 'Other donations',
    },
    { head: 'Donations', as: 'number', cell: ({ donations }) => count(donations) },
    { head: 'Raised', as: 'number', cell: ({ raised_cents }) => money(raised_cents) },
    {
      head: 'Change',
      as: 'number',
      cell: ({ raised_cents, previous_cents }) => changeText(raised_cents, previous_cents, money),
    },
  ];
  return html`<h2>By form</h2>
    ${table('This month by form', columns, forms)}`;
}
