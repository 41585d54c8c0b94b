import { periodName } from '@connect-embed/api/resources/lists/export-response';
import type { DashboardContext } from '../env.ts';
import { FormFields } from '../fields.ts';
import { periodBounds, readPeriod, type Period } from './period.ts';

/** The filters of a list, which are plain URL parameters: nothing in them is about a person. */
export interface ListFilters {
  /** Form values and their errors. */
  fields: FormFields;
  /** URL parameters with a value. */
  params: Record<string, string>;
  /**
   * URL parameters for pagination. A relative period such as “last 7 days” is replaced by its dates,
   * because the cursor is valid only for the same dates.
   */
  pageParams: Record<string, string>;
  /** The first and the last day of the period. */
  days: Period;
  /** The period as filters of the creation time. */
  bounds: { created_from?: string; created_to?: string };
  /** Name of the period for the file name of an export. */
  period: string;
}

/** URL parameters of the period, which every list has. */
const PERIOD_PARAMS = ['period', 'from', 'to'] as const;

/**
 * Reads the filters from the URL of a list.
 *
 * @param names parameters besides those of the period
 */
export function readListFilters(c: DashboardContext, names: readonly string[]): ListFilters {
  const { timeZone } = c.var.organization;
  const fields = new FormFields(new URL(c.req.url).searchParams);
  const params = Object.fromEntries(
    [...PERIOD_PARAMS, ...names]
      .map((name) => [name, fields.value(name).trim()] as const)
      .filter(([, value]) => value),
  );
  const period = readPeriod(fields, timeZone);
  const { period: preset, ...otherParams } = params;
  return {
    fields,
    params,
    pageParams: preset ? { ...otherParams, ...period } : params,
    days: period,
    bounds: periodBounds(period, timeZone),
    period: periodName(period),
  };
}

/** Reads the field of a filter that has fixed options; undefined if none is selected. */
export const readOption = <Value extends string>(
  fields: FormFields,
  name: string,
  values: readonly Value[],
): Value | undefined => (fields.value(name) ? fields.oneOf(name, values) : undefined);

/** Reads the field of a filter that is the id of a record; undefined if none is selected. */
export function readId(fields: FormFields, name: string): string | undefined {
  const value = fields.value(name);
  if (value && !/^[\w-]{1,100}$/.test(value)) fields.addError(name, 'Select an option.');
  return value || undefined;
}

/** Reads the filter for tests. */
export const readMode = (fields: FormFields): { livemode?: 'false' } =>
  readOption(fields, 'mode', ['test']) ? { livemode: 'false' } : {};

/**
 * Reads the fields `min` and `max`, as filters of the amount in minor units. An amount is entered in one
 * currency, so records in others do not match.
 */
export function readAmounts(fields: FormFields, currency: string) {
  const [min, max] = [fields.money('min', currency), fields.money('max', currency)];
  if (min !== null && max !== null && max < min)
    fields.addError('max', 'Must not be less than the minimum.');
  return {
    ...(min !== null && { amount_from_cents: String(min) }),
    ...(max !== null && { amount_to_cents: String(max) }),
    ...((min ?? max) !== null && { currency }),
  };
}

/**
 * Returns the URL of a list with the submitted filters. Empty filters are omitted, and so are the dates
 * if a named period is chosen.
 *
 * @param names parameters besides those of the period
 * @param search the encrypted search text
 */
export function filteredUrl(
  path: string,
  names: readonly string[],
  value: (name: string) => string,
  search?: string,
): string {
  const params = new URLSearchParams();
  const hasNamedPeriod = value('period') !== '' && value('period') !== 'custom';
  for (const name of [...PERIOD_PARAMS, ...names]) {
    const text = value(name).trim();
    if (text && !(hasNamedPeriod && (name === 'from' || name === 'to'))) params.set(name, text);
  }
  if (!hasNamedPeriod) params.delete('period');
  if (search) params.set('search', search);
  return params.size ? `${path}?${params}` : path;
}
