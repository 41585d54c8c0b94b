import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { CurrencyTotals } from './month-totals.ts';
import type { Days, MonthPeriods } from './month-periods.ts';

/** Size of the drawing, which scales with the page. A day takes `DAY` units of its width. */
const DAY = 24;
const HEIGHT = 120;
const BAR = 16;

/** Formats a day such as `Nov 3`. */
const dayName = ({ first }: Days, index: number) =>
  first.add({ days: index }).toLocaleString(LOCALE, { month: 'short', day: 'numeric' });

/**
 * Draws the raised amounts by day: a bar for this month, and a line for the same day of last month. The
 * amounts are the titles of the bars, and for screen readers the best day is named.
 */
export function dayChart(
  { currency, current, previous }: CurrencyTotals,
  { current: days, previous: daysBefore }: MonthPeriods,
): Html | '' {
  const highest = Math.max(...current.byDay, ...previous.byDay);
  if (highest === 0) return '';
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  const y = (cents: number) => HEIGHT - Math.round((cents / highest) * HEIGHT * 100) / 100;
  const best = Math.max(...current.byDay);
  const bestDay = dayName(days, current.byDay.indexOf(best));
  const count = days.first.daysInMonth;
  const summary =
    best > 0 ? `The best day is ${bestDay} with ${money(best)}` : 'Nothing this month';
  return html`<figure class="panel day-chart">
    <figcaption class="small muted">
      <span>Raised by day</span>
      <span class="key this">This month</span> <span class="key last">Last month</span>
    </figcaption>
    <svg
      viewBox="0 -4 ${count * DAY} ${HEIGHT + 8}"
      preserveAspectRatio="none"
      role="img"
      aria-label="Raised by day. ${summary}."
    >
      ${current.byDay.map(
        (cents, day) =>
          html`<rect
            class="this"
            x="${day * DAY + (DAY - BAR) / 2}"
            y="${y(cents)}"
            width="${BAR}"
            height="${HEIGHT - y(cents)}"
            rx="2"
          >
            <title>${dayName(days, day)}: ${money(cents)}</title>
          </rect>`,
      )}
      ${previous.byDay.map(
        (cents, day) =>
          html`<line
            class="last"
            x1="${day * DAY + 2}"
            x2="${(day + 1) * DAY - 2}"
            y1="${y(cents)}"
            y2="${y(cents)}"
          >
            <title>${dayName(daysBefore, day)}: ${money(cents)}</title>
          </line>`,
      )}
      <line class="base" x1="0" x2="${count * DAY}" y1="${HEIGHT}" y2="${HEIGHT}" />
    </svg>
    <p class="axis small muted" aria-hidden="true">
      <span>${dayName(days, 0)}</span> <span>${dayName(days, count - 1)}</span>
    </p>
  </figure>`;
}
