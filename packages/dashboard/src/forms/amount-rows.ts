import { MAX_IMPACT_TEXT } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { describedBy, fieldAttributes, problemView } from '../pages/field-view.ts';
import { amountText, type FormFields, type FormState } from '../pages/fields.ts';
import type { FieldOptions, FieldType } from '../pages/field-types.ts';

interface AmountRowsOptions extends FieldOptions {
  currency: string;
  /** True if the rows are closed while they are empty. */
  collapsed?: boolean;
}

/**
 * Amounts in rows, each with a text beside it, in cents. An empty amount is null.
 *
 * The field `monthly_amounts` contains the texts of `monthly_impacts`: `impactTexts`. Rows are added and
 * removed by buttons that submit the form (`changeRows`), or by the page's script.
 */
export const amountRows = (options: AmountRowsOptions): FieldType<(number | null)[]> => ({
  options: { ...options, label: `${options.label} (${options.currency.toUpperCase()})` },
  render: (draft, field) => {
    const { name, label, hint } = field;
    const rows = Math.max(1, draft.values(name).length, draft.values(textsName(name)).length);
    const content = html`${hint && html`<p id="${name}-hint" class="small muted">${hint}</p>`}
      <div class="row-heads small" aria-hidden="true">
        <span>Amount</span><span>What it achieves</span>
      </div>
      <div class="rows">${Array.from({ length: rows }, (_, row) => rowView(draft, name, row))}</div>
      ${problemView(name, draft.problems.get(name))}
      <button
        class="secondary"
        name="add_row"
        value="${name}"
        formaction="#${name}"
        formnovalidate
        data-add-row
      >
        Add amount
      </button>`;
    const attributes = html`id="${name}" ${describedBy(draft, field)}`;
    if (!options.collapsed)
      return html`<fieldset ${attributes}>
        <legend>${label}</legend>
        ${content}
      </fieldset>`;
    const isOpen = draft.values(name).some(Boolean) || draft.values(textsName(name)).some(Boolean);
    return html`<details class="amounts" ${isOpen || rows > 1 ? 'open' : ''}>
      <summary>${label}</summary>
      <fieldset ${attributes} aria-label="${label}">${content}</fieldset>
    </details>`;
  },
  read: (form, name) => form.moneyList(name, options.currency),
  // Without decimals that are all zero.
  toText: (list) => list.map((cents) => amountText(cents, options.currency).replace(/\.0+$/, '')),
});

/** The texts of a field `amountRows`, which shows them. An empty text is null. */
export const impactTexts = (): FieldType<(string | null)[]> => ({
  options: { label: 'What an amount achieves' },
  render: () => html``,
  read: (form, name) => form.textList(name, MAX_IMPACT_TEXT),
  toText: (list) => list.map((value) => value ?? ''),
});

const textsName = (name: string) => name.replace(/_amounts$/, '_impacts');

function rowView(draft: FormState, name: string, row: number): Html {
  const texts = textsName(name);
  const cell = (list: string, label: string, attributes: Html) =>
    html`<input
      name="${list}"
      value="${draft.values(list)[row] ?? ''}"
      aria-label="${label}"
      ${attributes}
      ${draft.problems.has(`${list}.${row}`) ? html`id="${list}.${row}"` : ''}
      ${fieldAttributes(draft, { name: `${list}.${row}` })}
    />`;
  const problem = (list: string) =>
    problemView(`${list}.${row}`, draft.problems.get(`${list}.${row}`));
  const number = row + 1;
  return html`<div class="row">
    ${cell(name, `Amount ${number}`, html`maxlength="40" inputmode="decimal"`)}
    ${cell(texts, `What amount ${number} achieves`, html`maxlength="${MAX_IMPACT_TEXT}"`)}
    <button
      class="secondary"
      name="remove_row"
      value="${name}.${row}"
      formaction="#${name}"
      formnovalidate
      aria-label="Remove amount ${number}"
      data-remove-row
    >
      Remove
    </button>
    ${problem(name)} ${problem(texts)}
  </div>`;
}

/**
 * Adds or removes a row, if a button of the rows has submitted the form.
 *
 * @returns whether the form was changed, and is to be shown again instead of saved
 */
export function changeRows(form: FormFields): boolean {
  const added = form.value('add_row');
  const [, removed = '', row = ''] = /^(\w+_amounts)\.(\d+)$/.exec(form.value('remove_row')) ?? [];
  const name = added || removed;
  if (!name) return false;
  for (const list of [name, textsName(name)]) {
    const values = form.values(list);
    form.setValues(list, added ? [...values, ''] : values.toSpliced(Number(row), 1));
  }
  return true;
}
