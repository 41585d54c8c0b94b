import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { amount, input, select, type Choice } from '../field-view.ts';
import type { FormFields } from '../fields.ts';
import type { ListFilters } from './list-filters.ts';
import { PERIODS } from './period.ts';

const ANY: Choice = { value: '', text: 'Any' };
const ALL_TIME: Choice = { value: '', text: 'All time' };

/** Message above a list whose filters are invalid. */
export const INVALID_FILTERS = 'These filters cannot be applied. Check the marked fields.';

export const choices = (texts: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

export const recordChoices = (list: readonly { id: string; name: string }[]): Choice[] =>
  list.map(({ id, name }) => ({ value: id, text: name }));

/**
 * Renders the fields of the period: a named one, or two dates.
 *
 * @param label the column whose dates are filtered, if the list has several
 */
export const periodFields = (fields: FormFields, label = 'Period'): Html =>
  html`${select(fields, { name: 'period', label, plain: true }, [ALL_TIME, ...choices(PERIODS)])}
  ${input(fields, { name: 'from', label: 'From', type: 'date', plain: true })}
  ${input(fields, { name: 'to', label: 'To', type: 'date', plain: true })}`;

/** Renders the fields of the smallest and the largest amount. */
export const amountFields = (fields: FormFields, currency: string): Html => {
  const code = currency.toUpperCase();
  return html`${amount(fields, { name: 'min', label: `Minimum (${code})`, plain: true })}
  ${amount(fields, { name: 'max', label: `Maximum (${code})`, plain: true })}`;
};

/** Renders the filter for tests, which an organization that is live does not see otherwise. */
export const testsField = (fields: FormFields, hasTests: boolean): Html | '' =>
  hasTests || fields.value('mode')
    ? select(fields, { name: 'mode', label: 'Test donations', plain: true }, [
        { value: '', text: 'Left out' },
        { value: 'test', text: 'Only these' },
      ])
    : '';

export const optionField = (
  fields: FormFields,
  field: { name: string; label: string },
  options: readonly Choice[],
): Html => select(fields, { ...field, plain: true }, [ANY, ...options]);

/** Renders the filter form of a list without a search for people, which is submitted to the list itself. */
export const filterForm = (
  path: string,
  { fields, params }: ListFilters,
  filterFields: Html,
): Html => {
  const isFiltered = Object.keys(params).length > 0;
  return html`<form method="get" action="${path}" class="panel search-form" novalidate>
    <details ${isFiltered || fields.hasErrors ? 'open' : ''}>
      <summary>Filters</summary>
      <div class="grid">${filterFields}</div>
      <button class="secondary">Apply filters</button>
    </details>
    ${isFiltered ? html`<p><a href="${path}">Clear filters</a></p>` : ''}
  </form>`;
};

/** Renders the number of matches, or a heading, beside the link to the CSV file with exactly them. */
export const exportHead = (
  path: string,
  content: Html,
  params: Readonly<Record<string, string>>,
): Html => {
  const query = new URLSearchParams(params);
  return html`<div class="head">
    ${content}
    <a class="button secondary" href="${path}/export.csv${query.size ? `?${query}` : ''}"
      >Export CSV</a
    >
  </div>`;
};
