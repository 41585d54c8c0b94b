import { Temporal } from 'temporal-polyfill';
import type { FormFields } from '../fields.ts';
import { instantOfInput } from '../local-time.ts';

/** Labels of the period filter. `custom` uses the dates that the person enters. */
export const PERIODS = {
  today: 'Today',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  this_month: 'This month',
  last_month: 'Last month',
  this_year: 'This year',
  last_year: 'Last year',
  custom: 'Custom',
} as const;

type Preset = Exclude<keyof typeof PERIODS, 'custom'>;

/**
 * The first and the last day of a period in a time zone, as ISO dates. A missing day means no
 * limit.
 */
export interface Period {
  from?: string;
  to?: string;
}

/** Returns the first and the last day of a preset, relative to `today`. */
function presetDays(preset: Preset, today: Temporal.PlainDate): Required<Period> {
  const month = today.with({ day: 1 });
  const year = month.with({ month: 1 });
  const before = (date: Temporal.PlainDate) => date.subtract({ days: 1 });
  const spans: Record<Preset, [Temporal.PlainDate, Temporal.PlainDate]> = {
    today: [today, today],
    last_7_days: [today.subtract({ days: 6 }), today],
    last_30_days: [today.subtract({ days: 29 }), today],
    this_month: [month, before(month.add({ months: 1 }))],
    last_month: [month.subtract({ months: 1 }), before(month)],
    this_year: [year, before(year.add({ years: 1 }))],
    last_year: [year.subtract({ years: 1 }), before(year)],
  };
  const [from, to] = spans[preset];
  return { from: from.toString(), to: to.toString() };
}

/**
 * Reads the period from form or URL parameters: `period`, or `from` and `to` if `period` is empty
 * or `custom`.
 *
 * @param timeZone IANA time zone, which determines the current day
 */
export function readPeriod(fields: FormFields, timeZone: string): Period {
  const name = fields.value('period');
  if (name && name !== 'custom') {
    const preset = fields.oneOf('period', Object.keys(PERIODS) as Preset[]);
    return presetDays(preset, Temporal.Now.plainDateISO(timeZone));
  }
  const [from, to] = [fields.date('from'), fields.date('to')].map((date) =>
    date?.toISOString().slice(0, 10),
  );
  if (from && to && to < from) fields.addError('to', 'Must not be before the From date.');
  return { ...(from && { from }), ...(to && { to }) };
}

/** Converts a period to timestamps: `created_from` is inclusive, `created_to` is exclusive. */
export function periodBounds({ from, to }: Period, timeZone: string) {
  const start = (day: string) => instantOfInput(`${day}T00:00`, timeZone)?.toISOString();
  const after = to && Temporal.PlainDate.from(to).add({ days: 1 }).toString();
  const created_from = from && start(from);
  const created_to = after && start(after);
  return { ...(created_from && { created_from }), ...(created_to && { created_to }) };
}
