import { html } from 'hono/html';
import { fieldAttributes, fieldView } from '../field-view.ts';
import { parseColor } from '../fields.ts';
import type { FieldOptions, FieldType } from '../pages/field-types.ts';

/**
 * A color such as `#0b6b5b`; null if empty. Its text can be typed, and if the page's script runs, the
 * browser's color picker is beside it.
 *
 * @param options.note the text below the field for an entered color
 */
export const color = (
  options: FieldOptions & { note: (value: string) => string },
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
            value="${parseColor(value) ?? '#0b6b5b'}"
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
          >${draft.errorOf(name) ? '' : options.note(value)}</span
        >`,
    );
  },
  read: (form, name) => form.color(name),
  toText: (value) => value ?? '',
});
