import { formatDate } from '@connect-embed/contract';
import type { Context } from 'hono';
import { csvResponse } from '../../http/csv-response.ts';
import { csvFileName } from '../../lib/csv.ts';
import type { Env } from '../../http/env.ts';

/** Returns the name of the period for a file name, for example `from 2026-03-01 to 2026-03-31`. */
export const periodName = ({ from, to }: { from?: string; to?: string }): string =>
  [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ') || 'all';

/** Parameters of every export that its file depends on. */
interface ExportQuery {
  created_from?: string | undefined;
  created_to?: string | undefined;
  time_zone?: string | undefined;
  [filter: string]: unknown;
}

/**
 * Responds with the CSV file of a list.
 *
 * @param name content of the file, such as `donations`
 * @param createLines returns the lines of the file, with times in the time zone
 */
export function exportResponse(
  c: Context<Env>,
  name: string,
  { created_from, created_to, time_zone, sort: _, ...filters }: ExportQuery,
  createLines: (timeZone: string) => AsyncIterable<string>,
): Response {
  const { organization } = c.get('credential');
  const timeZone = time_zone ?? organization.timeZone;
  const dayOf = (timeMs: number) =>
    formatDate(new Date(timeMs), 'file', { timeZone, locale: 'en-US' }).slice(0, 10);
  const period = periodName({
    ...(created_from && { from: dayOf(Date.parse(created_from)) }),
    ...(created_to && { to: dayOf(Date.parse(created_to) - 1) }), // `created_to` is exclusive.
  });
  const isSelection = Object.values(filters).some((value) => value !== undefined);
  const parts = isSelection ? [...(period === 'all' ? [] : [period]), 'selection'] : [period];
  c.set('isExport', true);
  return csvResponse(c, csvFileName(name, organization.name, ...parts), createLines(timeZone));
}
