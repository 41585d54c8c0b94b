import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { FormState } from './fields.ts';

/** What the view of one field needs of its form. */
type FieldState = Pick<FormState, 'value' | 'problems'>;

/** A form field with its label and hint. */
interface Field {
  name: string;
  label: string;
  /** Help text below the field. */
  hint?: string;
  required?: boolean;
  /** True in filter forms: no field is required, so the label omits the word “optional”. */
  plain?: boolean;
}

interface InputField extends Field {
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'datetime-local' | 'password';
  inputmode?: 'decimal' | 'numeric';
  max?: number;
}

export interface Choice {
  value: string;
  text: string;
  /** Help text of a checkbox or radio button. */
  hint?: Html | string;
}

/** Renders a single-line text field. The value of a password field is never sent back to the browser. */
export const input = (draft: FieldState, field: InputField): Html => {
  const { name, type = 'text', inputmode, max = 200 } = field;
  return fieldView(
    draft,
    field,
    html`<input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${type === 'password' ? '' : draft.value(name)}"
      maxlength="${max}"
      ${inputmode ? html`inputmode="${inputmode}"` : ''}
      ${type === 'password' ? html`autocomplete="off"` : ''}
      ${fieldAttributes(draft, field)}
    />`,
  );
};

/**
 * Renders a field for an amount of money. The field has the type `text`, because people type
 * thousands separators.
 */
export const amount = (draft: FormState, field: Field): Html =>
  input(draft, { ...field, inputmode: 'decimal', max: 40 });

/** Renders a field for a file of one of the given media types. */
export const fileInput = (draft: FormState, field: Field & { accept: string }): Html =>
  fieldView(
    draft,
    field,
    html`<input
      id="${field.name}"
      name="${field.name}"
      type="file"
      accept="${field.accept}"
      ${fieldAttributes(draft, field)}
    />`,
  );

export const textArea = (draft: FormState, field: Field & { max?: number }): Html =>
  fieldView(
    draft,
    field,
    html`<textarea
      id="${field.name}"
      name="${field.name}"
      maxlength="${field.max ?? 5000}"
      ${fieldAttributes(draft, field)}
    >
${draft.value(field.name)}</textarea>`,
  );

/** Renders a drop-down list. For a few choices, `radios` is easier to read. */
export const select = (draft: FormState, field: Field, choices: readonly Choice[]): Html =>
  fieldView(
    draft,
    field,
    html`<select id="${field.name}" name="${field.name}" ${fieldAttributes(draft, field)}>
      ${choices.map(
        ({ value, text }) =>
          html`<option value="${value}" ${draft.value(field.name) === value ? 'selected' : ''}>
            ${text}
          </option>`,
      )}
    </select>`,
  );

/** Renders a checkbox, which is unchecked by default. */
export function checkbox(draft: FormState, { name, label, hint }: Field): Html {
  const problem = draft.problems.get(name);
  return html`<label class="choice">
      <input
        id="${name}"
        type="checkbox"
        name="${name}"
        ${draft.value(name) === 'on' ? 'checked' : ''}
        ${problem ? html`aria-invalid="true" aria-describedby="${name}-problem"` : ''}
      />
      <span>${label}${hint && html`<span class="small muted">${hint}</span>`}</span>
    </label>
    ${problemView(name, problem)}`;
}

const choiceGroup =
  (type: 'checkbox' | 'radio') =>
  (draft: FormState, field: Field, choices: readonly Choice[]): Html => {
    const { name, label, hint: fieldHint } = field;
    const selected = draft.values(name);
    return html`<fieldset id="${name}" ${describedBy(draft, field)}>
      <legend>${label}</legend>
      <div class="choices">
        ${choices.map(
          ({ value, text, hint }) =>
            html`<label class="choice">
              <input
                type="${type}"
                name="${name}"
                value="${value}"
                ${type === 'radio' ? 'required' : ''}
                ${selected.includes(value) ? 'checked' : ''}
              />
              <span>${text}${hint && html`<span class="small muted">${hint}</span>`}</span>
            </label>`,
        )}
      </div>
      ${problemView(name, draft.problems.get(name))}
      ${fieldHint && html`<p id="${name}-hint" class="small muted">${fieldHint}</p>`}
    </fieldset>`;
  };

/** Renders a group of checkboxes with the same name. */
export const checkboxes = choiceGroup('checkbox');

/** Renders radio buttons. */
export const radios = choiceGroup('radio');

/** Renders a control with its label, error and hint. */
export const fieldView = (
  draft: FieldState,
  { name, label, hint, required, plain }: Field,
  control: Html,
): Html => {
  const problem = draft.problems.get(name);
  return html`<div class="field">
    <label for="${name}"
      >${label}${required || plain ? '' : html` <span class="optional">optional</span>`}</label
    >
    ${control} ${problemView(name, problem)}
    ${hint && html`<span id="${name}-hint" class="small muted">${hint}</span>`}
  </div>`;
};

export const problemView = (name: string, problem: string | undefined) =>
  problem && html`<span id="${name}-problem" class="small wrong">${problem}</span>`;

type DescribedField = Pick<Field, 'name' | 'hint'> & {
  /** Id of another text that describes the field. */
  noteId?: string;
};

/** Returns the attribute that gives screen readers the error and the hint of a field or group. */
export function describedBy(draft: FieldState, { name, hint, noteId }: DescribedField): Html | '' {
  const ids = [draft.problems.has(name) && `${name}-problem`, noteId, hint && `${name}-hint`];
  const list = ids.filter(Boolean).join(' ');
  return list && html`aria-describedby="${list}"`;
}

/** Returns the attributes that tell screen readers the hint and the state of a field. */
export const fieldAttributes = (
  draft: FieldState,
  field: DescribedField & Pick<Field, 'required'>,
): Html =>
  html`${field.required ? 'required' : ''} ${describedBy(draft, field)}
  ${draft.problems.has(field.name) ? html`aria-invalid="true"` : ''}`;
