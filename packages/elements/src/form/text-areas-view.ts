import { html, nothing } from '../shared/html.ts';
import type { FormView } from './form-context.ts';
import { messagesOf } from './form-messages.ts';

/** Renders the fields for dedication and comment, as far as the form has them. */
export const renderTextAreas = (view: FormView) => {
  const { allow_comment, allow_dedication } = view.draft.form.terms;
  return html`${allow_dedication ? renderTextArea(view, 'dedication', 200) : nothing}
  ${allow_comment ? renderTextArea(view, 'comment', 500) : nothing}`;
};

const renderTextArea = (
  { draft, on }: FormView,
  field: 'dedication' | 'comment',
  maxLength: number,
) =>
  html`<div class="field">
    <label for=${field}>${messagesOf(draft)[field]}</label>
    <div class="control">
      <textarea
        id=${field}
        rows="2"
        maxlength=${maxLength}
        .value=${draft.values[field]}
        @input=${(event: Event) => on?.change({ [field]: (event.target as HTMLInputElement).value })}
      ></textarea>
    </div>
  </div>`;
