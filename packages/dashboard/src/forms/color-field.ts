import { html } from 'hono/html';
import { fieldAttributes, fieldView } from '../pages/field-view.ts';
import { parseColor, type FormState } from '../pages/fields.ts';
import type { FieldOptions, FieldType } from '../pages/field-types.ts';

/**
 * A color such as `#0b6b5b`; null if empty. Its text can be typed, and if the page's script runs, the
 * browser's color picker is beside it.
 *
 * @param options.initial the color that the picker shows while the field is empty
 * @param options.note returns the text below the field for the entered colors
 */
export const color = (
  options: FieldOptions & { initial: string; note: (form: FormState) => string },
): FieldType<string | null> => ({
  options,
  render: (draft, field) => {
    const { name } = field;
    const value = draft.value(name);
    const noteId = `${name}-note`;
    return fieldView(
      draft,
      field,
      html`<span class="color">
          <input
            type="color"
            value="${parseColor(value) ?? options.initial}"
            aria-label="${field.label}: choose"
            data-color="${name}"
            hidden
          />
          <input
            id="${name}"
            name="${name}"
            value="${value}"
            maxlength="40"
            spellcheck="false"
            autocomplete="off"
            ${fieldAttributes(draft, { ...field, noteId })}
          />
        </span>
        <span id="${noteId}" class="small note" role="status"
          >${draft.problems.has(name) ? '' : options.note(draft)}</span
        >`,
    );
  },
  read: (form, name) => form.color(name),
  toText: (value) => value ?? '',
});
